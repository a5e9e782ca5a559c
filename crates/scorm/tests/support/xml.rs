//! XML as a tree of names, attributes and texts, for tests that walk through a manifest.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

#[derive(Debug, Clone, Default)]
pub struct Node {
    /// With its prefix.
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// Direct text, resolved and joined.
    pub text: String,
    pub children: Vec<Node>,
}

impl Node {
    /// The root; none if the text is not well-formed.
    pub fn parse(xml: &str) -> Option<Self> {
        let mut reader = Reader::from_str(xml);
        let mut open = vec![Self::default()];
        loop {
            match reader.read_event().ok()? {
                Event::Start(tag) => open.push(Self::of(&tag)?),
                Event::Empty(tag) => open.last_mut()?.children.push(Self::of(&tag)?),
                Event::End(_) => {
                    let node = open.pop()?;
                    open.last_mut()?.children.push(node);
                }
                Event::Text(text) => open.last_mut()?.text.push_str(&text),
                Event::GeneralRef(entity) => open.last_mut()?.text.push_str(
                    quick_xml::escape::resolve_predefined_entity(&entity).unwrap_or("\u{0}"),
                ),
                Event::Eof => break,
                Event::CData(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_) => {}
            }
        }
        let top = open.pop().filter(|_| open.is_empty())?;
        top.children.into_iter().next()
    }

    fn of(tag: &BytesStart<'_>) -> Option<Self> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.ok()?;
            let value = attribute.normalized_value(XmlVersion::Explicit1_0).ok()?;
            attributes.push((attribute.key.as_ref().to_owned(), value.into_owned()));
        }
        Some(Self {
            name: tag.name().as_ref().to_owned(),
            attributes,
            ..Self::default()
        })
    }

    pub fn attribute(&self, name: &str) -> Option<&str> {
        let mut own = self.attributes.iter();
        own.find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |node| node.name == name)
    }

    pub fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|node| node.name == name)
    }

    /// The node at the end of a path of names.
    pub fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    /// This node and everything below it.
    pub fn walk(&self) -> Vec<&Node> {
        let below = self.children.iter().flat_map(Node::walk);
        std::iter::once(self).chain(below).collect()
    }
}
