//! `index.html`: where an LMS enters the package, and what the page may do there.

use lyceum_ports::exporting::scorm::{CourseSnapshot, LiveService};
use url::{Host, Url};

use crate::player::{self, Strings};
use crate::{names, text, theme};

/// The page's own limits, for an LMS that sets none: nothing runs, loads or is sent but what is in the package.
///
/// `'self'` covers a normal frame, a sandboxed one without an origin of its own (browsers match against the page's
/// address) and `file:`. Only `connect-src` knows the outside: the service, if the package has one. Pictures are files
/// of the package, so not even `data:` is let in. `frame-ancestors` and `sandbox` have no effect in a meta element.
fn policy(service: Option<&LiveService>) -> String {
    let service = service
        .and_then(|service| source(&service.runtime_base_url))
        .map(|origin| format!(" {origin}"))
        .unwrap_or_default();
    format!(
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; \
         connect-src 'self'{service}; object-src 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// An address's origin as a policy can name it.
fn source(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    match url.host()? {
        // The grammar of policies has no word for such hosts; these are developers' own machines.
        Host::Ipv6(_) => Some(format!("{}:", url.scheme())),
        Host::Domain(_) | Host::Ipv4(_) => Some(url.origin().ascii_serialization()),
    }
}

/// The page: a shell that shows something before any script runs.
pub fn page(
    snapshot: &CourseSnapshot,
    languages: &[Strings],
    service: Option<&LiveService>,
) -> String {
    let interface = languages.last().map_or("en", |(language, _)| *language);
    let direction = if text::right_to_left(interface) {
        "rtl"
    } else {
        "ltr"
    };
    let title = text::escape_text(&text::title(&snapshot.course_name, "Course"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"{interface}\" dir=\"{direction}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n{styles}\n{scripts}\n</head>\n\
         <body>\n<div id=\"app\" class=\"boot\">\n<h1>{title}</h1>\n\
         <noscript><p>This course needs JavaScript.</p></noscript>\n</div>\n</body>\n</html>\n",
        policy = policy(service),
        styles = styles(snapshot).join("\n"),
        scripts = scripts(languages).join("\n"),
    )
}

/// The workspace's colours come last, so that they win.
fn styles(snapshot: &CourseSnapshot) -> Vec<String> {
    let own = theme::of(snapshot).map(|_| names::THEME.to_owned());
    std::iter::once(player::style_name())
        .chain(own)
        .map(|name| format!("<link rel=\"stylesheet\" href=\"{name}\">"))
        .collect()
}

fn scripts(languages: &[Strings]) -> Vec<String> {
    let mut scripts = vec![player::script_name()];
    scripts.extend(
        languages
            .iter()
            .map(|(language, _)| player::strings_name(language)),
    );
    scripts.extend([names::SERVICE.to_owned(), names::COURSE.to_owned()]);
    scripts
        .iter()
        .map(|name| format!("<script defer src=\"{name}\"></script>"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(runtime_base_url: &str) -> String {
        let service = LiveService {
            runtime_base_url: runtime_base_url.to_owned(),
            package_id: String::new(),
            launch_key: String::new(),
        };
        let policy = policy(Some(&service));
        let (_, after) = policy.split_once("connect-src ").unwrap();
        after.split_once(';').unwrap().0.to_owned()
    }

    #[test]
    fn only_the_services_origin_may_be_reached() {
        assert_eq!(
            allowed("https://a.example/path"),
            "'self' https://a.example"
        );
        assert_eq!(
            allowed("https://a.example:8443"),
            "'self' https://a.example:8443"
        );
        assert_eq!(
            allowed("http://127.0.0.1:8080"),
            "'self' http://127.0.0.1:8080"
        );
        assert_eq!(allowed("http://[::1]:8080"), "'self' http:");
        assert_eq!(allowed("x; script-src *"), "'self'");
        assert!(policy(None).contains("connect-src 'self';"));
    }
}
