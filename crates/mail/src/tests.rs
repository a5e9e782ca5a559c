//! Texts, messages and settings: what is let through, and what is refused.

use lyceum_domain::notifying::letters::{DigestTold, Letter, MailTemplate};
use lyceum_domain::notifying::local_time::LocalDate;
use lyceum_domain::text::{Email, LanguageTag};
use lyceum_domain::{Id, Timestamp};
use rstest::rstest;
use std::fs;
use std::path::Path;

use crate::message::{address, message};
use crate::settings::{Encryption, MailSettings, SmtpServer};
use crate::templates::Templates;

const SERVICE: &str = "https://lyceum.example";

fn now() -> Timestamp {
    Timestamp::from_unix_millis(1_795_244_100_000)
}

fn language(tag: &str) -> LanguageTag {
    LanguageTag::parse(tag).unwrap()
}

fn mail(letter: &Letter, tag: &str) -> String {
    let written = Templates::built_in()
        .unwrap()
        .write(letter, &language(tag), SERVICE)
        .unwrap();
    let to = address(&Email::parse("ada@school.example").unwrap()).unwrap();
    let id = Id::from_uuid(uuid::Uuid::from_u128(7));
    let from = "Lyceum <lyceum@school.example>".parse().unwrap();
    String::from_utf8(message(id, &from, to, written).unwrap().1).unwrap()
}

#[test]
fn every_text_is_there_in_the_languages_of_the_console() {
    let templates = Templates::built_in().unwrap();
    let all: Vec<&str> = templates.languages().collect();
    let console = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../console/assets"));
    for language in &all {
        assert!(
            console.join(format!("{language}.js")).exists(),
            "{language}"
        );
    }
    let catalogs = fs::read_dir(console).unwrap();
    let names = catalogs.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let tags = names.filter(|name| name.strip_suffix(".js").is_some_and(|tag| tag.len() == 2));
    assert_eq!(tags.count(), all.len());
    for (asked, given) in [
        ("de-AT", "de"),
        ("ar", "ar"),
        ("fr-CA", "fr"),
        ("it", "en"),
        ("en-GB", "en"),
    ] {
        for template in MailTemplate::ALL {
            let letter = Letter::sample(*template, now());
            let written = templates.write(&letter, &language(asked), SERVICE).unwrap();
            assert_eq!(written.language, given);
            for value in letter
                .values()
                .values()
                .filter(|value| value.contains("://"))
            {
                assert!(written.text.contains(value.as_str()), "{}", written.text);
            }
            assert!(!written.subject.contains("://lyceum.example/studio"));
        }
    }
}

#[test]
fn what_people_call_themselves_is_no_markup_and_no_header() {
    use lyceum_domain::identity::users::Role;
    let link = "https://lyceum.example/studio#invitation=x&y";
    let evil = "Eve\r\nBcc: all@school.example\r\n\r\n<script>alert(1)</script>";
    let letter = Letter::invitation(evil, "<b>Uni</b> & Söhne", Role::Teacher, link, now());
    let written = Templates::built_in()
        .unwrap()
        .write(&letter, &language("en"), SERVICE)
        .unwrap();
    assert!(!written.html.contains("<script>") && !written.html.contains("<b>"));
    assert!(written.html.contains("&lt;script&gt;"), "{}", written.html);
    assert!(written.text.contains(link), "plain is plain");
    assert!(!written.subject.contains(['\r', '\n']));
    let whole = mail(&letter, "en");
    let head = whole.split("\r\n\r\n").next().unwrap();
    assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
    assert_eq!(
        head.lines()
            .filter(|line| line.starts_with("Subject:"))
            .count(),
        1
    );
}

#[test]
fn a_message_is_ascii_in_any_script_and_says_that_no_person_wrote_it() {
    let whole = mail(&Letter::sample(MailTemplate::Invitation, now()), "ar");
    assert!(whole.is_ascii());
    for header in [
        "Auto-Submitted: auto-generated\r\n",
        "Content-Language: ar\r\n",
        "Subject: =?utf-8?b?",
        "Date: ",
        "Content-Type: multipart/alternative;",
        "@school.example>\r\n",
    ] {
        assert!(whole.contains(header), "{header}: {whole}");
    }
}

/// One with courses of these names.
fn digest(count: u64, courses: &[(&str, u64)], more: usize, oldest: &str) -> Letter {
    let day = |text| LocalDate::parse(text).unwrap();
    let named: Vec<(String, u64)> = courses
        .iter()
        .map(|(name, count)| ((*name).to_owned(), *count))
        .collect();
    Letter::digest(&DigestTold {
        workspace: "Schule am See",
        today: day("2026-11-28"),
        count,
        courses: &named,
        more,
        oldest: Some(day(oldest)),
        link: "https://lyceum.example/studio#/review?queue=open&platform=ab12",
        settings: "https://lyceum.example/studio#/account?platform=ab12",
    })
}

#[test]
fn a_digest_says_how_many_where_and_since_when_in_every_language() {
    let templates = Templates::built_in().unwrap();
    let courses = [("Algebra", 7), ("<b>Evil</b>\tof\nlines", 5)];
    for tag in templates.languages() {
        let letter = digest(14, &courses, 2, "2026-11-24");
        let written = templates.write(&letter, &language(tag), SERVICE).unwrap();
        let shown = [&written.text, &written.html];
        for part in shown {
            for said in ["14", "Algebra", "7", "2026-11-24", "4", "2"] {
                assert!(part.contains(said), "{tag} {said}: {part}");
            }
        }
        assert!(written.text.contains("- Algebra: 7\n"), "{}", written.text);
        assert!(
            written.text.contains("- <b>Evil</\u{2060}b> of lines: 5\n"),
            "one line, whatever it is called: {}",
            written.text
        );
        assert!(!written.html.contains("<b>"), "{}", written.html);
        assert!(written.subject.contains("14") && written.subject.contains("Schule am See"));
        let single = digest(1, &courses[..1], 0, "2026-11-28");
        let single = templates.write(&single, &language(tag), SERVICE).unwrap();
        assert!(!single.text.contains("28: 0"), "{}", single.text);
        assert_ne!(single.subject, written.subject);
    }
}

#[test]
fn a_digest_reads_as_a_person_would_say_it() {
    let written = |letter: &Letter| {
        let templates = Templates::built_in().unwrap();
        templates.write(letter, &language("en"), SERVICE).unwrap()
    };
    let one = written(&digest(1, &[("Algebra", 1)], 0, "2026-11-27"));
    assert_eq!(
        one.subject,
        "Schule am See: one submission waits for a person"
    );
    let expected = "Good morning,\n\nIn “Schule am See” on https://lyceum.example one submission waits for a person. \
        The oldest was handed in on 2026-11-27: yesterday.\n\n- Algebra: 1\n\nLook at them:\n";
    assert!(one.text.starts_with(expected), "{}", one.text);
    let many = written(&digest(9, &[("Algebra", 8)], 1, "2026-11-28"));
    assert!(many.text.contains("9 submissions wait for a person"));
    assert!(many.text.contains(": today."), "{}", many.text);
    assert!(many.text.contains("- and in one course more\n"));
}

#[test]
fn a_digest_alone_says_in_its_head_where_it_is_switched_off() {
    for template in MailTemplate::ALL {
        let whole = mail(&Letter::sample(*template, now()), "de");
        let head = whole.split("\r\n\r\n").next().unwrap().to_owned();
        let said = head
            .replace("\r\n ", " ")
            .contains("List-Unsubscribe: <https://lyceum.example/studio#/account>");
        assert_eq!(said, *template == MailTemplate::Digest, "{head}");
    }
    let long = mail(&digest(1, &[], 0, "2026-11-28"), "ar");
    let place = "<https://lyceum.example/studio#/account?platform=ab12>";
    assert!(long.contains(place), "as it is, on one line: {long}");
}

#[rstest]
#[case("ada@schüler.example", Some("ada@xn--schler-5ya.example"))]
#[case("ada@school.example", Some("ada@school.example"))]
#[case("ada@192.0.2.1", None)]
#[case("a,b@school.example", None)]
#[case("ada>@school.example", None)]
fn mail_goes_to_addresses_alone(#[case] email: &str, #[case] expected: Option<&str>) {
    let found = address(&Email::parse(email).unwrap()).ok();
    assert_eq!(found.map(|it| it.to_string()).as_deref(), expected);
}

#[rstest]
#[case("smtp://mail.example", Encryption::StartTls, 587, None)]
#[case("smtps://mail.example", Encryption::Implicit, 465, None)]
#[case("smtp://a%40b:p%2Fq@mail.example:25", Encryption::StartTls, 25, Some(("a@b", "p/q")))]
#[case("smtp://localhost:1025?tls=none", Encryption::None, 1025, None)]
#[case("smtp://a:b@127.0.0.1?tls=none", Encryption::None, 587, Some(("a", "b")))]
#[case("smtp://[::1]:25?tls=none", Encryption::None, 25, None)]
#[case("smtp://relay.internal:25?tls=insecure", Encryption::None, 25, None)]
fn a_mail_server_is_spoken_to_encrypted_unless_it_is_this_machine_or_somebody_says_so(
    #[case] url: &str,
    #[case] encryption: Encryption,
    #[case] port: u16,
    #[case] credentials: Option<(&str, &str)>,
) {
    let server = SmtpServer::parse(url).unwrap();
    let found = server
        .credentials
        .as_ref()
        .map(|(a, b)| (a.as_str(), b.as_str()));
    assert_eq!(
        (server.encryption, server.port, found),
        (encryption, port, credentials)
    );
}

#[rstest]
#[case("mail.example:587")]
#[case("https://hunter2@mail.example")]
#[case("smtp://mail.example?tls=none")]
#[case("smtp://a:hunter2@relay.internal?tls=insecure")]
#[case("smtps://mail.example?tls=none")]
#[case("smtp://mail.example?tls=maybe")]
#[case("smtp://mail.example?hunter2=1")]
#[case("smtp://a:hunter2/x@mail.example")]
#[case("smtp://a@mail.example")]
#[case("smtp://a:hunter2%0d%0aX@mail.example")]
#[case("smtp:///")]
fn what_cannot_be_is_refused_without_telling_the_password(#[case] url: &str) {
    let from = Some("Lyceum <lyceum@school.example>");
    let refused = MailSettings::parse(url, from, None, SERVICE).err().unwrap();
    assert!(refused.0.starts_with("LYCEUM_SMTP_URL "), "{refused}");
    assert!(!refused.0.contains("hunter2"), "{refused}");
}

#[test]
fn whose_mail_it_is_has_to_be_said() {
    for from in [None, Some("nobody"), Some("a@b\r\nBcc: c@d")] {
        let refused = MailSettings::parse("smtp://mail.example", from, None, SERVICE);
        assert!(
            refused.err().unwrap().0.starts_with("LYCEUM_MAIL_FROM "),
            "{from:?}"
        );
    }
}

/// What is said of a folder with this one file.
fn complaint(name: &str, text: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(name);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    let error = Templates::with_folder(folder.path()).err()?;
    Some(error.to_string())
}

#[rstest]
#[case::unknown("de/invitation.txt", "{{ link }} {{ until }} {{ vorname }}", "vorname")]
#[case::missing("de/invitation.txt", "{{ until }}", "{{ link }}")]
#[case::missing_in_html("de/sign_in_link.html", "<p>{{ link }}</p>", "{{ until }}")]
#[case::a_secret_in_a_subject("de/invitation.subject", "{{ link }}", "asks for link")]
#[case::no_such_text("de/invitaton.txt", "Hallo", "is no text")]
#[case::no_such_part("de/invitation.md", "Hallo", "is no text")]
#[case::no_language("invitation.txt", "Hallo", "no folder of a language")]
#[case::broken("de/test.txt", "{% if %}", "de/test.txt")]
#[case::unclosed("de/test.txt", "{{ service", "de/test.txt")]
#[case::blank("de/test.subject", "  ", "says nothing")]
#[case::half_a_language("it/test.txt", "Buongiorno", "is missing")]
#[case::a_file_of_another("de/test.txt", "{% include \"/etc/passwd\" %}", "de/test.txt")]
fn a_text_that_cannot_be_is_told_by_its_file(
    #[case] name: &str,
    #[case] text: &str,
    #[case] says: &str,
) {
    let told = complaint(name, text).unwrap();
    assert!(told.contains(says), "{told}");
    assert!(
        told.contains(name.rsplit('/').next().unwrap().split('.').next().unwrap())
            || name.starts_with("it/"),
        "{told}"
    );
}

#[test]
fn a_text_of_the_operator_s_takes_the_place_of_ours_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("de")).unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    fs::write(folder.path().join("de/test.txt"), "Von {{ service }}\n").unwrap();
    let templates = Templates::with_folder(folder.path()).unwrap();
    let written = |tag| {
        let test = Letter::test();
        templates.write(&test, &language(tag), SERVICE).unwrap()
    };
    assert_eq!(written("de").text.trim(), "Von https://lyceum.example");
    assert!(written("de").html.contains("Guten Tag"));
    assert!(written("en").text.contains("Hello"));
}
