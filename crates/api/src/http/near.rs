//! What somebody probably meant who wrote a name that nobody knows.

use serde_json::Value;

/// Longer names are nobody's slip of the pen, and comparing them costs.
const MOST_CHARS: usize = 64;
/// Longer paths are not looked up.
const MOST_SEGMENTS: usize = 8;

/// What other services call things that are here under another name.
const ELSEWHERE: [(&str, &str); 12] = [
    ("after", "startingAfter"),
    ("cursor", "startingAfter"),
    ("nextcursor", "startingAfter"),
    ("pagetoken", "startingAfter"),
    ("page", "startingAfter"),
    ("offset", "startingAfter"),
    ("pagesize", "limit"),
    ("perpage", "limit"),
    ("count", "limit"),
    ("first", "limit"),
    ("query", "q"),
    ("search", "q"),
];

/// The same of collections.
const COLLECTIONS_ELSEWHERE: [(&str, &str); 6] = [
    ("webhooks", "webhook_endpoints"),
    ("students", "users"),
    ("members", "users"),
    ("keys", "api_keys"),
    ("packages", "scorm"),
    ("tenants", "workspaces"),
];

/// The known name that is nearest to `given`, if one is near.
pub fn name<'a>(given: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (wanted, known): (String, Vec<&str>) = (folded(given), known.into_iter().collect());
    let by_another_name = ELSEWHERE.iter().find(|(theirs, _)| *theirs == wanted);
    let ours = by_another_name.and_then(|(_, ours)| known.iter().find(|name| *name == ours));
    if let Some(ours) = ours {
        return Some(ours);
    }
    let near = known
        .into_iter()
        .filter_map(|name| distance(&wanted, &folded(name)).map(|far| (far, name)));
    near.min().map(|(_, name)| name)
}

/// Letters and digits alone, in lower case: how names are spelled does not count.
fn folded(name: &str) -> String {
    let letters = name.chars().take(MOST_CHARS + 1);
    let letters = letters.filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// How far two folded names are apart, if they are near.
fn distance(one: &str, other: &str) -> Option<usize> {
    let longest = one.chars().count().max(other.chars().count());
    if one.is_empty() || other.is_empty() || longest > MOST_CHARS {
        return None;
    }
    let far = strsim::osa_distance(one, other);
    (far <= (longest / 3).max(1) && far < longest.min(4)).then_some(far)
}

/// The path of ours that is nearest to one that is not, with names for its places: `/v1/courses/{id}/publish`. Nothing of
/// what was asked for comes back in it.
pub fn path(asked: &str, known: impl Iterator<Item = &'static str>) -> Option<String> {
    let given: Vec<&str> = asked.split('/').filter(|part| !part.is_empty()).collect();
    let given = match given.as_slice() {
        ["api", rest @ ..] => rest,
        all => all,
    };
    if given.is_empty() || given.len() > MOST_SEGMENTS {
        return None;
    }
    let candidates = known.filter_map(|known| {
        let far = steps(given, known)?;
        Some((far, known.matches('{').count(), known))
    });
    let (_, _, nearest) = candidates.min()?;
    Some(nearest.to_owned())
}

/// How far a path is from a pattern, if it is near; the version may be left out.
fn steps(given: &[&str], known: &str) -> Option<usize> {
    let known: Vec<&str> = known.split('/').filter(|part| !part.is_empty()).collect();
    let known = match (known.as_slice(), given.first()) {
        (["v1", rest @ ..], Some(first)) if *first != "v1" => rest,
        (all, _) => all,
    };
    if known.len() != given.len() {
        return None;
    }
    let each = given.iter().zip(known).map(|(asked, known)| {
        let elsewhere = || COLLECTIONS_ELSEWHERE.contains(&(*asked, known));
        if known.starts_with('{') || asked == known {
            Some(0)
        } else if elsewhere() {
            Some(1)
        } else {
            distance(&folded(asked), &folded(known))
        }
    });
    each.sum()
}

/// The member of a body that is nearest to one that nobody knows, by the schemas of all of them: `ai.instructions` for
/// `ai.instuctions`.
pub fn member(unknown: &str, component: &str, components: &Value) -> Option<String> {
    let (above, last) = match unknown.rsplit_once('.') {
        Some((above, last)) => (Some(above), last),
        None => (None, unknown),
    };
    let mut schema = components.get(component)?;
    for part in above.into_iter().flat_map(|above| above.split('.')) {
        schema = object_of(schema, components)?;
        schema = if part.bytes().all(|b| b.is_ascii_digit()) {
            schema.get("items")?
        } else {
            schema.get("properties")?.get(part)?
        };
    }
    let members = object_of(schema, components)?.get("properties")?;
    let known = members.as_object()?.keys().map(String::as_str);
    let nearest = name(last, known)?;
    Some(above.map_or_else(|| nearest.to_owned(), |above| format!("{above}.{nearest}")))
}

/// What a schema says of an object or an array, behind references and beside `null`.
fn object_of<'a>(schema: &'a Value, components: &'a Value) -> Option<&'a Value> {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let (_, name) = reference.rsplit_once('/')?;
        return object_of(components.get(name)?, components);
    }
    let branches = ["oneOf", "anyOf", "allOf"].iter();
    let mut branches = branches
        .filter_map(|kind| schema.get(kind)?.as_array())
        .flatten();
    let says_something = |one: &&Value| one.get("type").and_then(Value::as_str) != Some("null");
    match branches.find(says_something) {
        Some(branch) => object_of(branch, components),
        None => Some(schema),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;
    use crate::routes;

    #[rstest]
    #[case("starting_after", Some("startingAfter"))]
    #[case("startingafter", Some("startingAfter"))]
    #[case("cursor", Some("startingAfter"))]
    #[case("per_page", Some("limit"))]
    #[case("lmit", Some("limit"))]
    #[case("state", Some("status"))]
    #[case("course", Some("course_id"))]
    #[case("nonsense", None)]
    #[case("x", None)]
    #[case("", None)]
    fn slips_of_the_pen_have_a_neighbour(#[case] given: &str, #[case] nearest: Option<&str>) {
        let known = ["limit", "startingAfter", "status", "course_id", "q"];
        assert_eq!(name(given, known), nearest);
        let long = given.repeat(2_000);
        assert_eq!(
            name(&long, known).filter(|_| !given.is_empty() && long.len() > 100),
            None
        );
    }

    #[rstest]
    #[case("/v1/course", Some("/v1/courses"))]
    #[case("/v1/courses/", Some("/v1/courses"))]
    #[case("/courses", Some("/v1/courses"))]
    #[case("/api/v1/courses", Some("/v1/courses"))]
    #[case("/v1/course/crs_1/publsh", Some("/v1/courses/{id}/publish"))]
    #[case("/v1/webhooks", Some("/v1/webhook_endpoints"))]
    #[case("/v1/students", Some("/v1/users"))]
    #[case("/v1/apikeys", Some("/v1/api_keys"))]
    #[case("/health", Some("/healthz"))]
    #[case("/wp-login.php", None)]
    #[case("/v1/teapots", None)]
    #[case("/", None)]
    #[case("/a/b/c/d/e/f/g/h/i", None)]
    fn paths_have_a_neighbour_too(#[case] asked: &str, #[case] nearest: Option<&str>) {
        let routes = routes::all();
        let known = routes.iter().map(|route| route.path);
        assert_eq!(path(asked, known).as_deref(), nearest);
    }

    #[test]
    fn members_are_looked_for_where_they_stand() {
        let components = json!({
            "Course": {"properties": {
                "name": {}, "ai": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Ai"}]},
                "list": {"type": "array", "items": {"$ref": "#/components/schemas/Ai"}},
            }},
            "Ai": {"type": "object", "properties": {"instructions": {}}},
        });
        let near = |unknown| member(unknown, "Course", &components);
        assert_eq!(near("nmae").as_deref(), Some("name"));
        assert_eq!(near("ai.instuctions").as_deref(), Some("ai.instructions"));
        assert_eq!(
            near("list.0.instruction").as_deref(),
            Some("list.0.instructions")
        );
        assert_eq!(near("ai.zzz"), None);
        assert_eq!(near("nowhere.at.all"), None);
    }
}
