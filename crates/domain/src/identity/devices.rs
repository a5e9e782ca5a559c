//! What a person may recognise a browser by.

use crate::text::Name;

/// In this order, because most of them say that they are some of the others as well.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];

/// The same of systems.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Browser and system in words, of what a browser says of itself: nothing that tells one person's from another's.
pub fn name_of(user_agent: &str) -> Name {
    let known = |table: &[(&str, &'static str)]| {
        let mut rows = table.iter();
        let row = rows.find(|(token, _)| user_agent.contains(token));
        row.map(|(_, name)| *name)
    };
    let text = match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => String::new(),
    };
    Name::clamp(&text, "Browser")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_by_what_they_say_first_of_all() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 Safari/537.36";
        let safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/18.0 Mobile/15E148 Safari/604.1";
        let edge = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0.0.0 \
                    Safari/537.36 Edg/149.0.0.0";
        for (said, name) in [
            (chrome, "Chrome on Linux"),
            (safari, "Safari on iPhone"),
            (edge, "Edge on Windows"),
            ("curl/8.0", "Browser"),
            ("", "Browser"),
        ] {
            assert_eq!(name_of(said).as_str(), name);
        }
    }
}
