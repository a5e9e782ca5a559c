//! The way there, and the token that comes of what was brought back.

use std::time::Duration;

use chrono::{DateTime, Utc};
use lyceum_domain::Timestamp;
use lyceum_domain::identity::sso_connections::ProviderWord;
use lyceum_domain::identity::sso_connections::faults::{SsoFault, SsoProblem};
use lyceum_domain::identity::sso_sign_in::{CLOCK_LEEWAY, SsoClaims};
use lyceum_domain::json::JsonObject;
use lyceum_ports::identity::identity_providers::{
    ProviderAnswer, ProviderClient, ProviderQuestion,
};
use openidconnect::core::{
    CoreAuthDisplay, CoreAuthPrompt, CoreAuthenticationFlow, CoreClientAuthMethod,
    CoreErrorResponseType, CoreGenderClaim, CoreIdTokenVerifier, CoreJsonWebKey,
    CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm, CoreRevocableToken,
    CoreRevocationErrorResponse, CoreTokenIntrospectionResponse, CoreTokenType,
};
use openidconnect::{
    AdditionalClaims, AuthType, AuthorizationCode, ClaimsVerificationError, Client, ClientId,
    ClientSecret, CsrfToken, EmptyExtraTokenFields, EndpointMaybeSet, EndpointNotSet, EndpointSet,
    IdToken, IdTokenFields, LoginHint, Nonce, OAuth2TokenResponse, PkceCodeChallenge,
    PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, SignatureVerificationError,
    StandardErrorResponse, StandardTokenResponse, TokenResponse,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::http;
use crate::jws::{self, Broken};
use crate::known::{Asking, Known};

/// Has a token say when somebody proved who they are, of providers that say it to whoever asks alone (OpenID Connect Core, section 5.5).
const ASKED_CLAIMS: &str = r#"{"id_token":{"auth_time":{"essential":true}}}"#;

/// All that a token says beside what every one says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Claims(JsonObject);

impl AdditionalClaims for Claims {}

type Fields = IdTokenFields<
    Claims,
    EmptyExtraTokenFields,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJwsSigningAlgorithm,
>;
type Tokens = StandardTokenResponse<Fields, CoreTokenType>;
type Token =
    IdToken<Claims, CoreGenderClaim, CoreJweContentEncryptionAlgorithm, CoreJwsSigningAlgorithm>;
type OurClient = Client<
    Claims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    StandardErrorResponse<CoreErrorResponseType>,
    Tokens,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// What came of an exchange.
pub struct Exchanged {
    token: Token,
    access: String,
}

fn ours(known: &Known, client: &ProviderClient) -> Result<OurClient, SsoProblem> {
    let redirect = RedirectUrl::new(client.redirect_uri.clone());
    let redirect = redirect.map_err(|error| SsoProblem::new(SsoFault::Unreadable, error))?;
    let made = OurClient::from_provider_metadata(
        known.metadata.clone(),
        ClientId::new(client.client_id.to_string()),
        Some(ClientSecret::new(client.client_secret.reveal().to_owned())),
    );
    // In the header, where the provider does not say that it wants it in the body alone.
    let ways = known.metadata.token_endpoint_auth_methods_supported();
    let in_header = ways.is_none_or(|ways| ways.contains(&CoreClientAuthMethod::ClientSecretBasic));
    let way = if in_header {
        AuthType::BasicAuth
    } else {
        AuthType::RequestBody
    };
    Ok(made.set_redirect_uri(redirect).set_auth_type(way))
}

/// The address to which somebody goes.
pub fn question(
    known: &Known,
    client: &ProviderClient,
    question: &ProviderQuestion,
) -> Result<String, SsoProblem> {
    let ours = ours(known, client)?;
    let verifier = PkceCodeVerifier::new(question.verifier.clone());
    let (state, nonce) = (question.state.clone(), question.nonce.clone());
    let mut asked = ours
        .authorize_url(
            CoreAuthenticationFlow::AuthorizationCode,
            || CsrfToken::new(state),
            || Nonce::new(nonce),
        )
        .add_scope(Scope::new("email".to_owned()))
        .add_scope(Scope::new("profile".to_owned()))
        .set_pkce_challenge(PkceCodeChallenge::from_code_verifier_sha256(&verifier));
    if let Some(hint) = &question.hint {
        asked = asked.set_login_hint(LoginHint::new(hint.clone()));
    }
    if known.metadata.claims_parameter_supported() == Some(true) {
        asked = asked.add_extra_param("claims", ASKED_CLAIMS);
    }
    // Not `prompt=login` as well: some providers send people away for a word that they do not know. Whoever sits there can take either out of
    // the address; so what counts is when the token says that they were asked.
    if question.fresh {
        asked = asked.set_max_age(Duration::ZERO);
    }
    let (address, _, _) = asked.url();
    Ok(address.into())
}

/// Exchanges a code, which works once.
pub async fn exchange(
    asking: &Asking<'_>,
    known: &Known,
    client: &ProviderClient,
    answer: &ProviderAnswer,
) -> Result<Exchanged, SsoProblem> {
    let ours = ours(known, client)?;
    let code = AuthorizationCode::new(answer.code.clone());
    let request = ours.exchange_code(code);
    let request = request.map_err(|error| SsoProblem::new(SsoFault::CodeFlowMissing, error))?;
    let request = request.set_pkce_verifier(PkceCodeVerifier::new(answer.verifier.clone()));
    let tokens = request.request_async(asking).await.map_err(refused)?;
    let missing = || SsoProblem::new(SsoFault::Unreadable, "there is no ID token in the answer");
    Ok(Exchanged {
        token: tokens.id_token().cloned().ok_or_else(missing)?,
        access: tokens.access_token().secret().clone(),
    })
}

fn refused(
    error: RequestTokenError<http::Failure, StandardErrorResponse<CoreErrorResponseType>>,
) -> SsoProblem {
    match error {
        RequestTokenError::ServerResponse(said) => {
            let is_of_us = matches!(
                said.error(),
                CoreErrorResponseType::InvalidClient | CoreErrorResponseType::UnauthorizedClient
            );
            let fault = if is_of_us {
                SsoFault::SecretRefused
            } else {
                SsoFault::CodeRefused
            };
            SsoProblem::new(fault, said)
        }
        RequestTokenError::Request(failure) => failure.problem(),
        RequestTokenError::Parse(error, _) => SsoProblem::new(SsoFault::Unreadable, error),
        RequestTokenError::Other(text) => SsoProblem::new(SsoFault::Unreadable, text),
    }
}

/// Why a token does not hold: whether other keys might help.
pub enum Doubt {
    /// None of the keys fits it.
    Keys(SsoProblem),
    /// Something else.
    Token(SsoProblem),
}

impl Doubt {
    pub fn problem(self) -> SsoProblem {
        match self {
            Self::Keys(problem) | Self::Token(problem) => problem,
        }
    }
}

/// What the token says, if the provider said it, to us, for this very question, now.
pub fn verify(
    known: &Known,
    client: &ProviderClient,
    exchanged: &Exchanged,
    nonce: &str,
    now: Timestamp,
) -> Result<SsoClaims, Doubt> {
    let latest = moment(now.plus(CLOCK_LEEWAY));
    let earliest = moment(now.minus(CLOCK_LEEWAY));
    // Without the secret: so no signature is ever checked by it.
    let verifier = CoreIdTokenVerifier::new_public_client(
        ClientId::new(client.client_id.to_string()),
        known.metadata.issuer().clone(),
        known.keys.clone(),
    )
    .set_allowed_algs(known.signatures())
    .set_time_fn(move || earliest)
    .set_issue_time_verifier_fn(move |at| by(latest, Some(at), "issued"))
    .set_auth_time_verifier_fn(move |at| by(latest, at, "signed in"));
    let nonce = Nonce::new(nonce.to_owned());
    let claims = exchanged.token.claims(&verifier, &nonce).map_err(doubt)?;
    let invalid = |detail: String| Doubt::Token(SsoProblem::new(SsoFault::TokenInvalid, detail));
    let subject = ProviderWord::parse(claims.subject().as_str());
    let authenticated_at = claims.auth_time();
    let authenticated_at =
        authenticated_at.map(|at| Timestamp::from_unix_millis(at.timestamp_millis()));
    let told = serde_json::to_value(claims).map_err(|error| invalid(error.to_string()))?;
    let Value::Object(told) = told else {
        return Err(invalid("it holds no object".to_owned()));
    };
    let begun = jws::has_begun(&told, now).map_err(Broken::problem);
    begun.map_err(Doubt::Token)?;
    Ok(SsoClaims {
        subject: subject.map_err(|error| invalid(error.to_string()))?,
        authenticated_at,
        claims: told,
    })
}

fn by(latest: DateTime<Utc>, at: Option<DateTime<Utc>>, what: &str) -> Result<(), String> {
    let is_past = at.is_none_or(|at| at <= latest);
    let told = || format!("{what} in the future");
    is_past.then_some(()).ok_or_else(told)
}

fn doubt(error: ClaimsVerificationError) -> Doubt {
    let problem = |detail: String| SsoProblem::new(SsoFault::TokenInvalid, detail);
    #[allow(clippy::wildcard_enum_match_arm, reason = "the enum is open")]
    match error {
        ClaimsVerificationError::SignatureVerification(
            reason @ (SignatureVerificationError::NoMatchingKey
            | SignatureVerificationError::CryptoError(_)),
        ) => Doubt::Keys(problem(reason.to_string())),
        ClaimsVerificationError::SignatureVerification(reason) => {
            Doubt::Token(problem(reason.to_string()))
        }
        other => Doubt::Token(problem(other.to_string())),
    }
}

fn moment(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_millis(at.unix_millis()).unwrap_or(DateTime::<Utc>::UNIX_EPOCH)
}

/// Many providers tell the address to who asks for it alone.
pub async fn complete(
    asking: &Asking<'_>,
    known: &Known,
    exchanged: &Exchanged,
    said: SsoClaims,
) -> Result<SsoClaims, SsoProblem> {
    let endpoint = known.metadata.userinfo_endpoint();
    let Some(endpoint) = endpoint.filter(|_| said.text("email").is_none()) else {
        return Ok(said);
    };
    let request = http::get(endpoint.as_str(), Some(&exchanged.access));
    let request = request.map_err(http::Failure::problem)?;
    let answer = http::send(asking.guard, asking.patience, request).await;
    let answer = answer.map_err(http::Failure::problem)?;
    if answer.status().as_u16() != 200 {
        return Ok(said);
    }
    let told: JsonObject = serde_json::from_slice(answer.body())
        .map_err(|error| SsoProblem::new(SsoFault::Unreadable, format!("userinfo: {error}")))?;
    // What is said of somebody else is nothing of theirs.
    if told.get("sub").and_then(Value::as_str) != Some(said.subject.as_str()) {
        let told = "userinfo is about another subject";
        return Err(SsoProblem::new(SsoFault::TokenInvalid, told));
    }
    let mut claims = told;
    claims.extend(said.claims);
    Ok(SsoClaims {
        subject: said.subject,
        authenticated_at: said.authenticated_at,
        claims,
    })
}

/// How long somebody waits for one answer of a provider.
pub const PATIENCE: Duration = Duration::from_secs(10);
