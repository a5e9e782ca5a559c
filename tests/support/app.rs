//! The whole application in process, over a temporary store, with a clock that stands and ids that count.

use std::fs;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::ServiceResponse;
use actix_web::http::Method;
use actix_web::test::{self, TestRequest};
use futures_util::future::LocalBoxFuture;
use lyceum_ai::BuiltinGrouper;
use lyceum_api::addresses::RouteAddresses;
use lyceum_api::edge::rate_limit::RateLimits;
use lyceum_api::state::{Api, ApiSettings};
use lyceum_application::drafting::ai_tally::AiTally;
use lyceum_application::exporting::exports::Exports;
use lyceum_application::grading::groups::Grouping;
use lyceum_application::identity::bootstrap::{self, Bootstrap};
use lyceum_application::running::files::Files;
use lyceum_application::running::node::{self, Introduction, ThisNode};
use lyceum_application::running::room::Room;
use lyceum_application::settings::{Spending, WorkspaceCreation};
use lyceum_application::traces::Tracing;
use lyceum_application::{App, Error, Settings, work};
use lyceum_blobs::Blobs;
use lyceum_domain::exporting::scorm::RuntimeBaseUrl;
use lyceum_domain::identity::keys::ApiKeySecret;
use lyceum_domain::identity::workspaces::PlatformCode;
use lyceum_domain::notifying::deliveries::DeliverySchedule;
use lyceum_domain::running::jobs::JobLane;
use lyceum_domain::text::{Email, Name};
use lyceum_inspection::Inspector;
use lyceum_oidc::{OidcSettings, Providers};
use lyceum_ports::blobs::BlobStore;
use lyceum_ports::drafting::ai::AiProvider;
use lyceum_ports::running::nodes::NodeId;
use lyceum_ports::running::telemetry::NoTelemetry;
use lyceum_scorm::{PackageFiles, ScormWriter};
use lyceum_webhooks::{WebhookClient, WebhookSettings};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::contract::Contract;
use crate::fakes::{CountingEntropy, CountingIds, ManualClock, NoSignal};
use crate::stores::{Database, TestStore, beside_this_program};

/// A running application with one workspace, its owner and their key.
pub struct TestApp {
    /// The application behind the edge.
    pub app: App,
    /// The edge.
    pub api: Arc<Api>,
    /// Its clock.
    pub clock: Arc<ManualClock>,
    /// The owner of the first workspace.
    pub owner: Caller,
    contract: Contract,
    store: TestStore,
    service: OnceCell<Box<Service>>,
    _folder: TempDir,
}

/// The edge, mounted: once per application, because mounting takes longer than answering.
type Service = dyn Fn(TestRequest) -> LocalBoxFuture<'static, ServiceResponse>;

async fn serve(api: Arc<Api>) -> Box<Service> {
    let service = actix_web::App::new().configure(|config| lyceum_api::configure(config, &api));
    let service = Rc::new(test::init_service(service).await);
    Box::new(move |request| {
        let service = Rc::clone(&service);
        Box::pin(async move { test::call_service(&*service, request.to_request()).await })
    })
}

/// A key and the platform it is used on.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The whole key.
    pub key: String,
    /// Code of the platform.
    pub platform: String,
}

/// An answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// Its body; null when there is none, a string when it is not JSON.
    pub body: Value,
}

impl Answer {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The error's code; empty when it is none.
    pub fn code(&self) -> &str {
        self.body["error"]["code"].as_str().unwrap_or_default()
    }

    /// The id of the thing answered.
    pub fn id(&self) -> String {
        self.body["id"].as_str().unwrap_or_default().to_owned()
    }
}

impl TestApp {
    /// On a fresh SQLite file, with the built-in engine.
    pub async fn start() -> Self {
        Self::on(
            Database::Sqlite,
            lyceum_ai::provider(lyceum_ai::ProviderSettings::Builtin).unwrap(),
        )
        .await
    }

    /// On a fresh database of this kind, with this AI.
    pub async fn on(database: Database, ai: Arc<dyn AiProvider>) -> Self {
        let store = TestStore::open(database);
        let folder = TempDir::new().unwrap();
        let clock = Arc::new(ManualClock::default());
        let loopback = WebhookSettings {
            allowed_cidrs: vec!["127.0.0.0/8".parse().unwrap()],
            require_https: false,
            timeout: Duration::from_secs(5),
            connect_timeout: Duration::from_secs(2),
        };
        let blobs = Blobs::open(&format!("file://{}/blobs", folder.path().display())).unwrap();
        let blobs: Arc<dyn BlobStore> = Arc::new(blobs);
        let scratch = folder.path().to_owned();
        let public_url = RuntimeBaseUrl::parse("http://lyceum.test").unwrap();
        let app = App {
            store: Arc::clone(&store.store),
            clock: clock.clone(),
            ids: Arc::new(CountingIds::default()),
            entropy: Arc::new(CountingEntropy::default()),
            signal: Arc::new(NoSignal),
            settings: Arc::new(Settings {
                addresses: Arc::new(RouteAddresses(public_url.clone())),
                public_url,
                download_key: [9; 32],
                draw_key: [5; 32],
                launch_key: [8; 32],
                workspaces: WorkspaceCreation::default(),
                webhook_schedule: DeliverySchedule::parse("0,1,2").unwrap(),
                mail_is_configured: false,
                trash_kept: std::time::Duration::from_hours(30 * 24),
                scratch: folder.path().to_owned(),
                spending: Spending::default(),
            }),
            ai,
            ai_tally: AiTally::default(),
            telemetry: Arc::new(NoTelemetry::default()),
            grouping: Grouping::by(Arc::new(BuiltinGrouper)),
            attacks: Arc::new(lyceum_ai::attacks::BuiltinAttacks),
            room: Room::default(),
            tracing: Tracing::default(),
            packages: Arc::new(ScormWriter),
            media: None,
            inspector: Arc::new(Inspector::new(lyceum_inspection::Settings::default())),
            package_files: Arc::new(PackageFiles::new(Arc::clone(&blobs), scratch)),
            blobs,
            sink: Arc::new(WebhookClient::new(loopback)),
            passkeys: None,
            identity_providers: Arc::new(Providers::new(OidcSettings {
                allowed_cidrs: vec!["127.0.0.0/8".parse().unwrap()],
                require_https: false,
                ..OidcSettings::default()
            })),
            mailer: None,
            exports: Exports::default(),
            files: Files::default(),
            node: ThisNode::new(NodeId(Uuid::from_u128(1))),
            rows: None,
        };
        let api = Api::new(app, ApiSettings::default()).unwrap();
        // With an edge that writes rows.
        let app = api.app.clone();
        let owner = workspace(&app, "main").await;
        Self {
            app,
            contract: Contract::new(&document(&api)),
            api: Arc::new(api),
            clock,
            owner,
            store,
            service: OnceCell::new(),
            _folder: folder,
        }
    }

    /// The same application behind an edge that counts requests against these limits.
    #[must_use]
    pub fn limited(mut self, limits: RateLimits) -> Self {
        let settings = ApiSettings {
            rate_limits: Some(limits),
            ..ApiSettings::default()
        };
        self.api = Arc::new(Api::new(self.app.clone(), settings).unwrap());
        // What its workers write counts as well.
        self.app.rows.clone_from(&self.api.app.rows);
        self.service = OnceCell::new();
        self
    }

    /// The same application, of an operator who decided otherwise what callers may make it spend and keep.
    #[must_use]
    pub fn deciding(mut self, spending: Spending) -> Self {
        self.app.settings = Arc::new(Settings {
            spending,
            ..(*self.app.settings).clone()
        });
        self.api = Arc::new(Api::new(self.app.clone(), ApiSettings::default()).unwrap());
        self.service = OnceCell::new();
        self
    }

    /// The same application, reached at this address.
    #[must_use]
    pub fn reached_at(mut self, address: &str) -> Self {
        let public_url = RuntimeBaseUrl::parse(address).unwrap();
        self.app.settings = Arc::new(Settings {
            addresses: Arc::new(RouteAddresses(public_url.clone())),
            public_url,
            ..(*self.app.settings).clone()
        });
        self.mounted_again()
    }

    /// The same application behind a new edge: for settings that were changed after its start.
    #[must_use]
    pub fn mounted_again(mut self) -> Self {
        self.api = Arc::new(Api::new(self.app.clone(), ApiSettings::default()).unwrap());
        self.service = OnceCell::new();
        self
    }

    /// Another workspace, with an owner of its own.
    pub async fn another_workspace(&self, code: &str) -> Caller {
        workspace(&self.app, code).await
    }

    /// Where the data is.
    pub fn database_url(&self) -> &str {
        &self.store.url
    }

    /// Sends a request built by hand, and holds its answer against the OpenAPI document.
    pub async fn send(&self, request: TestRequest) -> Answer {
        let service = self.service.get_or_init(|| serve(Arc::clone(&self.api)));
        let response = (service.await)(request).await;
        let asked = response.request();
        let (method, path) = (asked.method().to_string(), asked.path().to_owned());
        let status = response.status().as_u16();
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| {
                (
                    name.to_string(),
                    String::from_utf8_lossy(value.as_bytes()).into_owned(),
                )
            })
            .collect();
        let bytes = test::read_body(response).await;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let body = if text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&text).unwrap_or(Value::String(text))
        };
        let answer = Answer {
            status,
            headers,
            body,
        };
        self.contract.check(&method, &path, &answer);
        answer
    }

    /// Sends a request of a caller.
    pub async fn call(
        &self,
        caller: &Caller,
        method: &str,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let mut request = request(caller, method, path);
        if let Some(body) = body {
            request = request.set_json(body);
        }
        self.send(request).await
    }

    /// Sends a request with a key and no platform.
    pub async fn call_at_account(&self, key: &str, method: &str, path: &str) -> Answer {
        let request = TestRequest::with_uri(path)
            .method(Method::from_bytes(method.as_bytes()).unwrap())
            .insert_header(("x-api-key", key));
        self.send(request).await
    }

    /// The owner of the key accepts whatever they are invited to.
    pub async fn accept_everything(&self, key: &str) {
        let waiting = self.call_at_account(key, "GET", "/v1/invitations").await;
        assert_eq!(waiting.status, 200, "{}", waiting.body);
        for invitation in waiting.body["data"].as_array().unwrap() {
            let id = invitation["id"].as_str().unwrap();
            let path = format!("/v1/invitations/{id}/accept");
            let accepted = self.call_at_account(key, "POST", &path).await;
            assert_eq!(accepted.status, 200, "{}", accepted.body);
        }
    }

    /// GET as the owner.
    pub async fn get(&self, path: &str) -> Answer {
        self.call(&self.owner, "GET", path, None).await
    }

    /// POST as the owner.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(&self.owner, "POST", path, Some(body)).await
    }

    /// PATCH as the owner.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call(&self.owner, "PATCH", path, Some(body)).await
    }

    /// DELETE as the owner.
    pub async fn delete(&self, path: &str) -> Answer {
        self.call(&self.owner, "DELETE", path, None).await
    }

    /// Does background jobs until none is due; how many that were.
    pub async fn work(&self) -> usize {
        let mut done = 0;
        loop {
            let mut jobs = work::claim(&self.app, JobLane::Ai, 10).await.unwrap();
            jobs.extend(work::claim(&self.app, JobLane::Work, 10).await.unwrap());
            if jobs.is_empty() {
                return done;
            }
            for job in jobs {
                work::perform(&self.app, &job).await.unwrap();
                done += 1;
            }
        }
    }

    /// Makes the webhook deliveries that are due; how many that were.
    pub async fn deliver(&self) -> usize {
        let mut count = 0;
        loop {
            let claimed = work::claim_deliveries(&self.app, 100).await.unwrap();
            if claimed.is_empty() {
                return count;
            }
            count += claimed.len();
            for delivery in claimed {
                work::deliver(&self.app, delivery).await.unwrap();
            }
        }
    }

    /// What happens at the start of a process that is the only one.
    pub async fn start_again(&self) {
        let introduction = Introduction {
            name: None,
            host: "machine".to_owned(),
            process: None,
            version: "1".to_owned(),
            started_at: self.app.clock.now(),
            is_alone: true,
        };
        node::join(&self.app, &introduction).await.unwrap();
    }
}

/// A request of a caller, to be completed by hand.
pub fn request(caller: &Caller, method: &str, path: &str) -> TestRequest {
    TestRequest::with_uri(path)
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .insert_header(("x-api-key", caller.key.as_str()))
        .insert_header(("X-Learning-Platform-Code", caller.platform.as_str()))
}

/// The document, which takes longer to make than most tests, made by the first test of this program.
fn document(api: &Api) -> Vec<u8> {
    let file = beside_this_program("openapi.json", |made| {
        fs::write(made, api.document().unwrap()).unwrap();
    });
    fs::read(file).unwrap()
}

async fn workspace(app: &App, code: &str) -> Caller {
    let wanted = Bootstrap {
        email: Email::parse(&format!("owner@{code}.example")).unwrap(),
        workspace: Name::parse(format!("Workspace {code}")).unwrap(),
        code: PlatformCode::parse(code).unwrap(),
        key: None::<ApiKeySecret>,
    };
    let visit = app.service_visit();
    let made = app
        .store
        .write(move |tx| bootstrap::run(tx, &visit, &wanted))
        .await;
    let made = made.map_err(|error: Error| error.to_string()).unwrap();
    Caller {
        key: made.key.reveal().to_owned(),
        platform: code.to_owned(),
    }
}
