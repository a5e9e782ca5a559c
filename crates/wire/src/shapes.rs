//! What texts look like, for the documentation: ids, words, moments. The domain says what they are.

use lyceum_domain::Words;
use lyceum_domain::id::Identified;
use utoipa::openapi::schema::{KnownFormat, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{Object, ObjectBuilder};

fn text() -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String)
}

/// The same, or null.
fn or_null(mut shape: Object) -> Object {
    shape.schema_type = SchemaType::Array(vec![Type::String, Type::Null]);
    if let Some(words) = &mut shape.enum_values {
        words.push(serde_json::Value::Null);
    }
    shape
}

/// The id of a `K`.
pub fn id_of<K: Identified>() -> Object {
    let pattern = format!("^{}_[0-7][0-9a-hjkmnp-tv-z]{{25}}$", K::PREFIX);
    text().pattern(Some(pattern)).build()
}

/// The id of a `K`, or null.
pub fn optional_id_of<K: Identified>() -> Object {
    or_null(id_of::<K>())
}

/// The name of the kind `K`, as in the member `object`.
pub fn name_of<K: Identified>() -> Object {
    text().enum_values(Some([K::OBJECT])).build()
}

/// One of the words of a `W`.
pub fn word<W: Words>() -> Object {
    text().enum_values(Some(W::words())).build()
}

/// One of the words of a `W`, or null.
pub fn optional_word<W: Words>() -> Object {
    or_null(word::<W>())
}

/// A moment in UTC, to the millisecond.
pub fn moment() -> Object {
    let format = SchemaFormat::KnownFormat(KnownFormat::DateTime);
    text().format(Some(format)).build()
}

/// A moment in UTC, or null.
pub fn optional_moment() -> Object {
    or_null(moment())
}

/// A text, or null.
pub fn optional_text() -> Object {
    or_null(text().build())
}
