//! Somebody's identity provider: a small one on loopback that signs what a test wants it to say, and lies where a test wants it to.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::dev::ServerHandle;
use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use rcgen::{KeyPair, PKCS_ED25519, PublicKeyData, SigningKey};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// What we are called there.
pub const CLIENT_ID: &str = "lyceum";
/// What proves there that it is us; with signs that have to be spelled in a header.
pub const CLIENT_SECRET: &str = "hush: a+b/c=";

/// How a token lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forgery {
    /// It does not.
    Honest,
    /// Its signature is of something else.
    Broken,
    /// By a key that is not the provider's, under the name of one that is.
    ByAnotherKey,
    /// It is not signed.
    Unsigned,
    /// By HMAC, with the provider's public key for a secret.
    HmacOfPublicKey,
    /// By HMAC, with the client's own secret.
    HmacOfSecret,
}

/// What it does.
pub struct Conduct {
    /// Members of its discovery document that differ.
    pub document: Map<String, Value>,
    /// What it says of everybody, beside what every token says; a `null` leaves one out.
    pub claims: Map<String, Value>,
    /// What it says to who asks for more.
    pub userinfo: Option<Value>,
    /// How its tokens lie.
    pub forgery: Forgery,
    /// The moment, in seconds since 1970.
    pub now: i64,
    /// Where it sends people back to, if it knows.
    pub redirect: Option<String>,
    /// The secret that it knows.
    pub secret: String,
    /// Whether it answers that it cannot, whatever it is asked.
    pub is_down: bool,
    key: KeyPair,
    kid: u32,
    codes: HashMap<String, Asked>,
    asked: HashMap<String, String>,
    counted: HashMap<String, u32>,
}

/// What came along with somebody.
#[derive(Clone)]
struct Asked {
    nonce: String,
    challenge: String,
    redirect: String,
    /// Whether it has to say when they proved who they are (OpenID Connect Core, section 3.1.2.1).
    is_to_say_when: bool,
}

/// It, gone when dropped.
pub struct IdentityProvider {
    /// Its issuer.
    pub issuer: String,
    conduct: Arc<Mutex<Conduct>>,
    server: ServerHandle,
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        drop(self.server.stop(false));
    }
}

impl IdentityProvider {
    /// One that is honest, at this moment.
    pub fn start(now: i64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let conduct = Arc::new(Mutex::new(Conduct {
            document: Map::new(),
            claims: Map::new(),
            userinfo: None,
            forgery: Forgery::Honest,
            now,
            redirect: None,
            secret: CLIENT_SECRET.to_owned(),
            is_down: false,
            key: KeyPair::generate_for(&PKCS_ED25519).unwrap(),
            kid: 1,
            codes: HashMap::new(),
            asked: HashMap::new(),
            counted: HashMap::new(),
        }));
        let data = web::Data::new((issuer.clone(), Arc::clone(&conduct)));
        let server = HttpServer::new(move || {
            App::new()
                .app_data(data.clone())
                .default_service(web::to(answer))
        });
        let server = server.workers(1).disable_signals();
        let server = server.listen(listener).unwrap().run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self {
            issuer,
            conduct,
            server: handle,
        }
    }

    /// What it does, to be changed.
    pub fn conduct(&self) -> MutexGuard<'_, Conduct> {
        self.conduct.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has it say this of everybody from now on.
    pub fn say(&self, claims: Value) {
        let Value::Object(claims) = claims else {
            panic!("claims are an object");
        };
        self.conduct().claims.extend(claims);
    }

    /// Exchanges its key for another.
    pub fn rotate(&self) {
        let mut conduct = self.conduct();
        conduct.key = KeyPair::generate_for(&PKCS_ED25519).unwrap();
        conduct.kid += 1;
    }

    /// How often it was asked for this path.
    pub fn asked_for(&self, path: &str) -> u32 {
        self.conduct()
            .counted
            .get(path)
            .copied()
            .unwrap_or_default()
    }

    /// What came along with whoever went there last.
    pub fn asked(&self) -> HashMap<String, String> {
        self.conduct().asked.clone()
    }

    /// Somebody goes to this address and signs in: what they bring back, with a code that works once.
    pub fn visit(&self, url: &str) -> HashMap<String, String> {
        let (place, query) = url.split_once('?').unwrap();
        assert_eq!(place, format!("{}/authorize", self.issuer));
        let asked = fields(query.as_bytes());
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["code_challenge_method"], "S256");
        // Who they are, their address and their name: nothing more of anybody, and nothing that goes on when they are gone.
        assert_eq!(asked["scope"], "openid email profile");
        let mut conduct = self.conduct();
        let visits = conduct.counted.entry("visits".to_owned()).or_default();
        *visits += 1;
        let code = format!("code {visits} of {}", self.issuer);
        conduct.codes.insert(
            code.clone(),
            Asked {
                nonce: asked["nonce"].clone(),
                challenge: asked["code_challenge"].clone(),
                redirect: asked["redirect_uri"].clone(),
                is_to_say_when: asked.contains_key("max_age"),
            },
        );
        let state = asked["state"].clone();
        conduct.asked = asked;
        HashMap::from([
            ("code".to_owned(), code),
            ("state".to_owned(), state),
            ("iss".to_owned(), self.issuer.clone()),
        ])
    }

    /// A token of its own with these claims and this type.
    pub fn token(&self, typ: &str, claims: &Value) -> String {
        self.conduct().signed(typ, claims)
    }
}

/// The fields of a form, or of a query.
pub fn fields(bytes: &[u8]) -> HashMap<String, String> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let url = reqwest::Url::parse(&format!("http://x/?{text}")).unwrap();
    url.query_pairs()
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect()
}

impl Conduct {
    fn name(&self) -> String {
        format!("key {}", self.kid)
    }

    fn signed(&self, typ: &str, claims: &Value) -> String {
        let alg = match self.forgery {
            Forgery::Unsigned => "none",
            Forgery::HmacOfPublicKey | Forgery::HmacOfSecret => "HS256",
            Forgery::Honest | Forgery::Broken | Forgery::ByAnotherKey => "EdDSA",
        };
        let header = json!({ "alg": alg, "typ": typ, "kid": self.name() });
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(&header), part(claims));
        let signature = self.signature(signed.as_bytes());
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
    }

    fn signature(&self, signed: &[u8]) -> Vec<u8> {
        let hmac = |secret: &[u8]| {
            let mut mac = Hmac::<Sha256>::new_from_slice(secret).unwrap();
            mac.update(signed);
            mac.finalize().into_bytes().to_vec()
        };
        match self.forgery {
            Forgery::Honest => self.key.sign(signed).unwrap(),
            Forgery::Broken => self.key.sign(b"something else").unwrap(),
            Forgery::ByAnotherKey => {
                let other = KeyPair::generate_for(&PKCS_ED25519).unwrap();
                other.sign(signed).unwrap()
            }
            Forgery::Unsigned => Vec::new(),
            Forgery::HmacOfPublicKey => hmac(self.key.der_bytes()),
            Forgery::HmacOfSecret => hmac(self.secret.as_bytes()),
        }
    }

    fn document(&self, issuer: &str) -> Value {
        let mut document = json!({
            "issuer": issuer,
            "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"),
            "userinfo_endpoint": format!("{issuer}/userinfo"),
            "jwks_uri": format!("{issuer}/keys"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            // It lists what is never to be taken, too.
            "id_token_signing_alg_values_supported": ["EdDSA", "RS256", "HS256", "none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": true,
        });
        merge(&mut document, &self.document);
        document
    }

    fn keys(&self) -> Value {
        let x = URL_SAFE_NO_PAD.encode(self.key.der_bytes());
        let key = json!({ "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": self.name(), "x": x });
        json!({ "keys": [key] })
    }

    fn exchange(&mut self, issuer: &str, request: &HttpRequest, body: &[u8]) -> HttpResponse {
        let refused = |status: u16, error: &str| {
            let status = actix_web::http::StatusCode::from_u16(status).unwrap();
            HttpResponse::build(status).json(json!({ "error": error }))
        };
        if !self.knows(request) {
            return refused(401, "invalid_client");
        }
        let sent = fields(body);
        let Some(asked) = self.codes.remove(&sent["code"]) else {
            return refused(400, "invalid_grant");
        };
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(sent["code_verifier"].as_bytes()));
        if challenge != asked.challenge || sent["redirect_uri"] != asked.redirect {
            return refused(400, "invalid_grant");
        }
        let mut claims = json!({
            "iss": issuer,
            "aud": CLIENT_ID,
            "sub": "ada at the provider",
            "iat": self.now,
            "exp": self.now + 300,
            "nonce": asked.nonce,
        });
        if asked.is_to_say_when {
            claims["auth_time"] = json!(self.now);
        }
        merge(&mut claims, &self.claims);
        HttpResponse::Ok().json(json!({
            "access_token": "open sesame",
            "token_type": "Bearer",
            "id_token": self.signed("JWT", &claims),
        }))
    }

    /// Whether it is us who asks (RFC 6749, section 2.3.1: each part is spelled as in a form first).
    fn knows(&self, request: &HttpRequest) -> bool {
        let header = request.headers().get("authorization");
        let sent = header.and_then(|header| header.to_str().ok()?.strip_prefix("Basic "));
        let sent = sent
            .and_then(|sent| STANDARD.decode(sent).ok())
            .unwrap_or_default();
        let sent = String::from_utf8(sent).unwrap_or_default();
        let (id, secret) = sent.split_once(':').unwrap_or_default();
        let plain = |text: &str| fields(format!("x={text}").as_bytes()).remove("x");
        plain(id).as_deref() == Some(CLIENT_ID) && plain(secret) == Some(self.secret.clone())
    }
}

fn merge(into: &mut Value, changes: &Map<String, Value>) {
    for (name, value) in changes {
        if value.is_null() {
            into.as_object_mut().unwrap().remove(name);
        } else {
            into[name] = value.clone();
        }
    }
}

async fn answer(
    request: HttpRequest,
    body: web::Bytes,
    data: web::Data<(String, Arc<Mutex<Conduct>>)>,
) -> HttpResponse {
    let (issuer, conduct) = data.get_ref();
    let mut conduct = conduct.lock().unwrap_or_else(PoisonError::into_inner);
    let path = request.path().to_owned();
    *conduct.counted.entry(path.clone()).or_default() += 1;
    if conduct.is_down {
        return HttpResponse::InternalServerError().finish();
    }
    match path.as_str() {
        "/.well-known/openid-configuration" => HttpResponse::Ok().json(conduct.document(issuer)),
        "/keys" => HttpResponse::Ok().json(conduct.keys()),
        "/token" => conduct.exchange(issuer, &request, &body),
        "/authorize" => {
            let asked = fields(request.query_string().as_bytes());
            let known = conduct.redirect.as_ref();
            if known.is_some_and(|known| asked.get("redirect_uri") != Some(known)) {
                return HttpResponse::BadRequest().body("redirect_uri is not registered");
            }
            HttpResponse::Ok().body("Who are you?")
        }
        "/userinfo"
            if request
                .headers()
                .get("authorization")
                .is_some_and(|sent| sent == "Bearer open sesame") =>
        {
            match &conduct.userinfo {
                Some(told) => HttpResponse::Ok().json(told),
                None => HttpResponse::NotFound().finish(),
            }
        }
        _ => HttpResponse::NotFound().finish(),
    }
}
