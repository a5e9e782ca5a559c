//! Texts that nobody has saved.

use lyceum_wire::authoring::texts::{RenderText, RenderedTextView};

use crate::call::Call;
use crate::client::Client;

impl Client {
    /// Texts that nobody has saved.
    pub fn texts(&self) -> Texts {
        Texts(self.clone())
    }
}

/// Texts that nobody has saved.
#[derive(Debug, Clone)]
pub struct Texts(Client);

impl Texts {
    /// Shows a text as HTML, and what it loses.
    pub fn render(&self, text: &RenderText) -> Call<RenderedTextView> {
        self.0.post("/v1/texts/render", text)
    }
}
