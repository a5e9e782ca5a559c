//! Stand-ins for names that must not leave the service.

/// The stand-ins of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pseudonyms(Vec<(String, String)>);

impl Pseudonyms {
    /// A stand-in for each text.
    pub fn of(private: &[String]) -> Self {
        let pairs = private.iter().zip(1..);
        Self(
            pairs
                .map(|(text, n)| (text.clone(), format!("Person-{n}")))
                .collect(),
        )
    }

    /// The text with stand-ins.
    pub fn mask(&self, text: &str) -> String {
        let masked = |text: String, (name, alias): &(String, String)| text.replace(name, alias);
        self.0.iter().fold(text.to_owned(), masked)
    }

    /// The text with the names again.
    pub fn unmask(&self, text: &str) -> String {
        let shown = |text: String, (name, alias): &(String, String)| text.replace(alias, name);
        self.0.iter().fold(text.to_owned(), shown)
    }
}
