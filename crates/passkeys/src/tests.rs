use super::*;

#[test]
fn passkeys_are_of_names_that_nobody_reads_along_with() {
    for good in [
        "https://lyceum.example",
        "https://lyceum.example:8443/",
        "http://localhost:8080",
    ] {
        assert!(Passkeys::at(good).is_ok(), "{good}");
    }
    for (bad, why) in [
        ("http://lyceum.example", "https"),
        ("http://127.0.0.1:8080", "name"),
        ("https://[::1]", "name"),
        ("nonsense", "relative"),
    ] {
        let refused = Passkeys::at(bad).err().unwrap().to_string();
        assert!(refused.contains(why), "{bad}: {refused}");
    }
}

#[test]
fn what_a_device_is_asked_is_to_be_found_by_it_alone_and_to_verify_its_person() {
    let passkeys = Passkeys::at("https://lyceum.example").unwrap();
    let person = Uuid::from_u128(7);
    let asked = passkeys
        .ask_for_new(person, "ada@example.org", &[])
        .unwrap();
    let options = Value::Object(asked.options);
    let wanted = &options["publicKey"]["authenticatorSelection"];
    assert_eq!(wanted["residentKey"], "required");
    assert_eq!(wanted["userVerification"], "required");
    assert_eq!(options["publicKey"]["attestation"], "none");
    assert_eq!(options["publicKey"]["challenge"], asked.challenge);
    let any = passkeys.ask_for_any().unwrap();
    let options = Value::Object(any.options);
    assert_eq!(options["publicKey"]["userVerification"], "required");
    assert_eq!(options["publicKey"]["allowCredentials"], json!([]));
    assert_eq!(options["mediation"], Value::Null);
    assert_ne!(any.challenge, passkeys.ask_for_any().unwrap().challenge);
}

#[test]
fn what_is_no_answer_claims_nothing() {
    let passkeys = Passkeys::at("https://lyceum.example").unwrap();
    for nonsense in [
        json!(null),
        json!({"rawId": "AA"}),
        json!({"rawId": "AA", "response": {"clientDataJSON": "AA"}}),
        json!({"rawId": "?", "response": {"clientDataJSON": "e30"}}),
    ] {
        assert!(passkeys.claim(&nonsense).is_err(), "{nonsense}");
    }
}
