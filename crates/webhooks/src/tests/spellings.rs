//! URLs as attackers write them, refused both when typed and when called.

use lyceum_ports::notifying::webhook_sink::WebhookSink;
use rstest::rstest;

use super::receiver::Receiver;
use super::{client, message, reason, settings};
use crate::{WebhookClient, WebhookSettings};

/// Ways to write an address of our own network; `{p}` is the port of a listening trap.
const INSIDE: &[&str] = &[
    "http://127.0.0.1:{p}/",
    "http://127.0.0.1.:{p}/",
    "http://127.1:{p}/",
    "http://127.0.1:{p}/",
    "http://2130706433:{p}/",
    "http://0x7f000001:{p}/",
    "http://0X7F.0.0.1:{p}/",
    "http://0x7f.1:{p}/",
    "http://0177.0.0.1:{p}/",
    "http://017700000001:{p}/",
    "http://0177.0x0.0.1:{p}/",
    "http://127.0.0.01:{p}/",
    "http://%31%32%37.0.0.1:{p}/",
    "http://127%2e0%2e0%2e1:{p}/",
    "http://①②⑦.⓪.⓪.①:{p}/",
    "http://127。0。0。1:{p}/",
    "http://127.0.0.1:{p}/",
    "http:\\\\127.0.0.1:{p}\\",
    "http:/127.0.0.1:{p}/",
    "http:127.0.0.1:{p}/",
    "HTTP://127.0.0.1:{p}/#@example.com",
    "http://127.0.0.1:{p}?@example.com",
    "http://0:{p}/",
    "http://0.0.0.0:{p}/",
    "http://127.255.255.254:{p}/",
    "http://[::1]:{p}/",
    "http://[0:0:0:0:0:0:0:1]:{p}/",
    "http://[::]:{p}/",
    "http://[::ffff:127.0.0.1]:{p}/",
    "http://[::ffff:7f00:1]:{p}/",
    "http://[::127.0.0.1]:{p}/",
    "http://[::ffff:0:127.0.0.1]:{p}/",
    "http://[64:ff9b::127.0.0.1]:{p}/",
    "http://[64:ff9b:1::7f00:1]:{p}/",
    "http://[2002:7f00:1::]:{p}/",
    "http://[2001:0:0:0:0:0:80ff:fffe]:{p}/",
    "http://localhost:{p}/",
    "http://LOCALHOST:{p}/",
    "http://localhost.:{p}/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{p}/",
    "http://anything.localhost:{p}/",
    "http://localhost.localdomain:{p}/",
    "http://ip6-localhost:{p}/",
    "https://169.254.169.254/latest/meta-data/",
    "https://2852039166/",
    "https://0xa9fea9fe/",
    "https://0251.0376.0251.0376/",
    "https://[::ffff:169.254.169.254]/",
    "https://[fd00:ec2::254]/",
    "https://168.63.129.16/",
    "https://10.0.0.1/",
    "https://10.1/",
    "https://172.16.0.1/",
    "https://192.168.0.1/",
    "https://3232235521/",
    "https://100.64.0.1/",
    "https://192.0.0.8/",
    "https://198.18.0.1/",
    "https://203.0.113.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[fc00::1]/",
    "https://[fe80::1]/",
    "https://[fec0::1]/",
    "https://[ff02::1]/",
    "https://[100::1]/",
    "https://[2001:db8::1]/",
    "https://[2001:10::1]/",
];

/// What is refused whatever the host.
const MALFORMED: &[&str] = &[
    "",
    "example.com",
    "//example.com/",
    "https://",
    "https:///",
    "https://exa mple.com/",
    "https://example.com/\r\nhost: inside",
    "https://exam\tple.com/",
    " https://example.com/",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://:password@example.com/",
    "https://example.com:22/",
    "https://example.com:0/",
    "https://example.com:65536/",
    "https://1.1.1.1:6379/",
    "https://256.1.1.1/",
    "https://1.2.3.4.5/",
    "https://[::1/",
    "https://[fe80::1%25eth0]/",
    "https://example.com%00.test/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com/",
    "javascript:alert(1)",
    "ws://example.com/",
];

/// Lists something harmless, so that neither the scheme nor the port is why a URL is refused.
fn lenient() -> WebhookClient {
    WebhookClient::new(WebhookSettings {
        require_https: false,
        ..settings(&["10.255.255.1/32"])
    })
}

#[tokio::test]
async fn no_spelling_of_an_inner_address_is_taken_or_called() {
    let trap = Receiver::with_status("200 OK", "").await;
    let client = lenient();
    for spelling in INSIDE {
        let url = spelling.replace("{p}", &trap.port.to_string());
        let refused = client.vet(&url).expect_err(&url).to_string();
        assert!(
            refused.starts_with("the address leads to "),
            "{url}: {refused}"
        );
        assert_eq!(
            reason(client.deliver(message(&url)).await),
            refused,
            "{url}"
        );
    }
    assert_eq!(trap.requests().len(), 0);
}

#[tokio::test]
async fn a_malformed_address_is_neither_taken_nor_called() {
    let client = client(&[]);
    let long = format!("https://example.com/{}", "x".repeat(2048));
    for url in MALFORMED.iter().copied().chain([long.as_str()]) {
        let refused = client.vet(url).expect_err(url).to_string();
        assert_eq!(reason(client.deliver(message(url)).await), refused, "{url}");
    }
}

#[rstest]
#[case("https://example.com")]
#[case("https://example.com/hooks?tenant=1#part")]
#[case("https://example.com:8443/")]
#[case("https://bücher.example/")]
#[case("https://1.1.1.1/")]
#[case("https://[2606:4700:4700::1111]/")]
#[case("https://rebind.test/")]
fn an_address_of_the_internet_is_taken(#[case] url: &str) {
    client(&[]).vet(url).unwrap();
}

#[rstest]
#[case("http://example.com/")]
#[case("http://1.1.1.1/")]
fn plain_http_is_taken_only_where_it_is_allowed(#[case] url: &str) {
    assert_eq!(
        client(&[]).vet(url).unwrap_err().to_string(),
        "the address must start with https://"
    );
    lenient().vet(url).unwrap();
}

#[rstest]
#[case("http://10.20.0.7:9000/hook", true)]
#[case("http://lms.internal:9000/hook", true)]
#[case("http://receiver:9000/hook", true)]
#[case("http://10.21.0.7:9000/hook", false)]
#[case("http://localhost:9000/hook", false)]
#[case("http://1.1.1.1:9000/hook", false)]
#[case("http://1.1.1.1/hook", false)]
fn a_listed_network_is_taken_with_any_port_and_scheme(#[case] url: &str, #[case] taken: bool) {
    assert_eq!(client(&["10.20.0.0/16"]).vet(url).is_ok(), taken);
    client(&[]).vet(url).unwrap_err();
}

#[rstest]
#[case("https://lms.internal/")]
#[case("https://receiver/")]
#[case("https://printer.local./")]
#[case("https://nas.home.arpa/")]
fn an_inner_name_is_refused_when_typed(#[case] url: &str) {
    let refused = client(&[]).vet(url).unwrap_err().to_string();
    assert!(refused.contains("a name of an inner network"), "{refused}");
}

#[test]
fn the_metadata_service_is_refused_though_everything_is_listed() {
    let client = client(&["0.0.0.0/0", "::/0"]);
    client.vet("http://127.0.0.1:9000/").unwrap();
    client.vet("http://169.254.169.254/latest/").unwrap_err();
    client.vet("http://[fd00:ec2::254]/").unwrap_err();
    client.vet("http://[::ffff:169.254.169.254]/").unwrap_err();
}
