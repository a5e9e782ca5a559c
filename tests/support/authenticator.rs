//! A device that holds passkeys: it makes them, and answers what it is asked as the standard says
//! (<https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data>), or otherwise where a test wants to see that refused.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const WITH_CREDENTIAL: u8 = 0x40;

/// A passkey, in the hands of its person.
pub struct Device {
    key: EcdsaKeyPair,
    /// Under which name it has the passkey.
    pub credential: Vec<u8>,
    /// Whose it is, as it was told when it made it.
    pub person: String,
    /// At which address its person stands.
    pub origin: String,
    /// For which name it answers.
    pub name: String,
    /// How often it was used.
    pub used: u32,
    /// Whether it made sure that its person is there.
    pub verifies: bool,
}

fn encoded(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Device {
    /// One that makes a passkey at this address, for whom it was asked.
    pub fn at(origin: &str, question: &Value, seed: u8) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key =
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random);
        let asked = &question["options"]["publicKey"];
        Self {
            key: key.unwrap(),
            credential: vec![seed; 20],
            person: asked["user"]["id"].as_str().unwrap_or_default().to_owned(),
            origin: origin.to_owned(),
            name: asked["rp"]["id"].as_str().unwrap_or_default().to_owned(),
            used: 0,
            verifies: true,
        }
    }

    fn said(&self, kind: &str, question: &Value) -> Vec<u8> {
        let challenge = &question["options"]["publicKey"]["challenge"];
        let said = json!({
            "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false,
        });
        said.to_string().into_bytes()
    }

    fn data(&self, more: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(self.name.as_bytes()).to_vec();
        data.push(PRESENT | verified | more);
        data.extend(self.used.to_be_bytes());
        data
    }

    /// The public key, as COSE has it.
    fn public(&self) -> Vec<u8> {
        let point = self.key.public_key().as_ref();
        // {1: 2, 3: -7, -1: 1, -2: x, -3: y}: P-256, by ES256.
        let mut key = vec![0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
        key.extend(&point[1..33]);
        key.extend([0x22, 0x58, 0x20]);
        key.extend(&point[33..65]);
        key
    }

    /// What it answers who asked for a new passkey.
    pub fn made(&self, question: &Value) -> Value {
        let mut data = self.data(WITH_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.credential.len()).unwrap().to_be_bytes());
        data.extend(&self.credential);
        data.extend(self.public());
        // {"fmt": "none", "attStmt": {}, "authData": data}
        let mut object = vec![0xa3, 0x63];
        object.extend(b"fmt");
        object.push(0x64);
        object.extend(b"none");
        object.push(0x67);
        object.extend(b"attStmt");
        object.push(0xa0);
        object.push(0x68);
        object.extend(b"authData");
        object.extend([0x58, u8::try_from(data.len()).unwrap()]);
        object.extend(data);
        json!({
            "id": encoded(&self.credential), "rawId": encoded(&self.credential), "type": "public-key",
            "clientExtensionResults": {}, "authenticatorAttachment": "platform",
            "response": {
                "attestationObject": encoded(object), "transports": ["internal"],
                "clientDataJSON": encoded(self.said("webauthn.create", question)),
            },
        })
    }

    /// What it answers who asked for somebody to sign in.
    pub fn signed(&mut self, question: &Value) -> Value {
        self.used += 1;
        let data = self.data(0);
        let said = self.said("webauthn.get", question);
        let mut signed = data.clone();
        signed.extend(Sha256::digest(&said));
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": encoded(&self.credential), "rawId": encoded(&self.credential), "type": "public-key",
            "clientExtensionResults": {}, "authenticatorAttachment": "platform",
            "response": {
                "authenticatorData": encoded(data), "clientDataJSON": encoded(said),
                "signature": encoded(signature), "userHandle": self.person,
            },
        })
    }
}
