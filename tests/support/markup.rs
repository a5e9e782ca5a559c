//! What a browser would make of a page: its elements, as the parser of browsers reads them.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// An element that begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// Its name, in lower case.
    pub name: String,
    /// Its attributes.
    pub attributes: Vec<(String, String)>,
}

impl Element {
    /// An attribute's value.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

#[derive(Default)]
struct Elements(RefCell<Vec<Element>>);

impl TokenSink for Elements {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token
            && tag.kind == TagKind::StartTag
        {
            let attributes = tag.attrs.iter();
            self.0.borrow_mut().push(Element {
                name: tag.name.to_string(),
                attributes: attributes
                    .map(|one| (one.name.local.to_string(), one.value.to_string()))
                    .collect(),
            });
        }
        TokenSinkResult::Continue
    }
}

/// Every element that begins in a text. Nothing is skipped, also not what stands within elements whose content a
/// browser would take for text: whoever reads this refuses those anyway.
pub fn elements(text: &str) -> Vec<Element> {
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(text));
    let tokenizer = Tokenizer::new(Elements::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    tokenizer.sink.0.take()
}
