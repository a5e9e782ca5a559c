//! The pages around the texts, as plain HTML: no script, no style of their own, and nothing but links and one form. What comes
//! from outside is in them as text alone.

use lyceum_pages::escaped;
use pulldown_cmark::HeadingLevel;

use crate::book::{Book, Entry, Page, Part};
use crate::links::{PLACE, address};
use crate::rendering::{Heading, Rendered, title_of};
use crate::searching::{Finding, Findings, MOST_CHARACTERS, MOST_SHOWN, Piece};

/// The contents of the book.
pub fn contents(book: &Book) -> String {
    let (form, parts) = (form(""), parts(&book.parts, "h2", None));
    let main = format!(
        "<h1>The handbook</h1>\n\
         <p class=\"lede\">Running, teaching with and building on this version of Lyceum. It is part of the program, \
         and needs no network.</p>\n\
         {form}<nav class=\"all\" aria-label=\"Contents\">{parts}</nav>\n"
    );
    alone("Contents", &main)
}

/// A text, with the contents beside it.
pub fn text(book: &Book, page: &Page, text: &Rendered) -> String {
    let title = format!(
        "<h1 id=\"{}\">{}</h1>",
        escaped(&text.title.id),
        text.title_html
    );
    let here = on_this_page(&text.headings);
    let body = &text.body;
    let turning = turning(book, page);
    let main = format!("<article class=\"text\">\n{title}\n{here}{body}</article>\n{turning}");
    let side = side(book, page.name);
    framed(&text.title.words, &form(""), "frame", &side, &main)
}

/// What was found.
pub fn findings(question: &str, found: &Findings<'_>) -> String {
    let asked = escaped(question);
    let said = match found.total {
        0 => format!(
            "Nothing in the handbook has all of “{asked}”. Fewer words, or only their beginnings, find more; and \
             <a href=\"{PLACE}\">the contents</a> list every page."
        ),
        1 => format!("1 section has all of “{asked}”."),
        total if total > MOST_SHOWN => format!(
            "{total} sections have all of “{asked}”. These are the {MOST_SHOWN} that suit best."
        ),
        total => format!("{total} sections have all of “{asked}”."),
    };
    let form = form(question);
    let list: String = found.shown.iter().map(finding).collect();
    let list = match list.as_str() {
        "" => list,
        list => format!("<ol class=\"found\">\n{list}</ol>\n"),
    };
    alone(
        "Search",
        &format!("<h1>Search</h1>\n{form}<p>{said}</p>\n{list}"),
    )
}

/// What is answered to a question that is too long to be one.
pub fn too_long() -> String {
    let form = form("");
    let main = format!(
        "<h1>Search</h1>\n{form}<p>A search takes {MOST_CHARACTERS} characters at most.</p>\n"
    );
    alone("Search", &main)
}

pub fn not_found() -> String {
    let form = form("");
    let main = format!(
        "<h1>There is no such page</h1>\n<p>The handbook has none of this name. Look for its words, or in \
         <a href=\"{PLACE}\">the contents</a>.</p>\n{form}"
    );
    alone("There is no such page", &main)
}

/// A page that is no text: its search stands where one looks first, and not in the head.
fn alone(title: &str, main: &str) -> String {
    framed(title, "", "frame alone", "", main)
}

/// The page around what is shown.
fn framed(title: &str, search: &str, class: &str, side: &str, main: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title} · Lyceum handbook</title>\n\
         <link rel=\"icon\" href=\"/studio/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{PLACE}/guides.css\">\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#text\">To the text</a>\n\
         <header class=\"head\">\n<a class=\"brand\" href=\"{PLACE}\">Lyceum handbook</a>\n{search}\
         <nav aria-label=\"Elsewhere\"><a href=\"/studio\">Studio</a> <a href=\"/docs\">Reference</a></nav>\n</header>\n\
         <div class=\"{class}\">\n{side}<main id=\"text\" tabindex=\"-1\">\n{main}</main>\n</div>\n</body>\n</html>\n"
    )
}

fn form(question: &str) -> String {
    let question = escaped(question);
    format!(
        "<form class=\"search\" role=\"search\" action=\"{PLACE}\">\
         <label class=\"unseen\" for=\"q\">Search the handbook</label>\
         <input id=\"q\" name=\"q\" type=\"search\" maxlength=\"{MOST_CHARACTERS}\" placeholder=\"Search the handbook\" \
         value=\"{question}\"><button>Search</button></form>\n"
    )
}

/// The contents beside a text, and above it, to be opened, where there is no room: one of them is shown.
fn side(book: &Book, current: &str) -> String {
    let contents = parts(&book.parts, "p", Some(current));
    format!(
        "<details class=\"above\"><summary>Contents</summary><nav aria-label=\"Contents\">{contents}</nav></details>\n\
         <nav class=\"side\" aria-label=\"Contents\">{contents}</nav>\n"
    )
}

fn parts(parts: &[Part], tag: &str, current: Option<&str>) -> String {
    let part = |part: &Part| {
        let title = match part.title.as_str() {
            "" => String::new(),
            title => format!("<{tag} class=\"part\">{}</{tag}>\n", escaped(title)),
        };
        format!(
            "<section>{title}{}</section>\n",
            entries(&part.entries, current)
        )
    };
    parts.iter().map(part).collect()
}

fn entries(list: &[Entry], current: Option<&str>) -> String {
    if list.is_empty() {
        return String::new();
    }
    let entry = |entry: &Entry| {
        let words = escaped(&entry.words);
        let line = match &entry.page {
            Some(page) => {
                let is_here = current == Some(page);
                let here = if is_here {
                    " aria-current=\"page\""
                } else {
                    ""
                };
                format!("<a href=\"{}\"{here}>{words}</a>", escaped(&address(page)))
            }
            None => format!("<span>{words}</span>"),
        };
        format!("<li>{line}{}</li>\n", entries(&entry.below, current))
    };
    let lines: String = list.iter().map(entry).collect();
    format!("<ul>\n{lines}</ul>")
}

/// Contents of a page, where there is more than one thing to go to.
fn on_this_page(headings: &[Heading]) -> String {
    let seconds = headings
        .iter()
        .filter(|it| it.level == Some(HeadingLevel::H2));
    let line = |heading: &Heading| {
        let (id, words) = (escaped(&heading.id), escaped(&heading.words));
        format!("<li><a href=\"#{id}\">{words}</a></li>\n")
    };
    let lines: Vec<String> = seconds.map(line).collect();
    if lines.len() < 2 {
        return String::new();
    }
    let lines = lines.concat();
    format!("<nav class=\"here\" aria-label=\"On this page\"><ul>\n{lines}</ul></nav>\n")
}

/// Links to the pages before and behind.
fn turning(book: &Book, page: &Page) -> String {
    let (before, behind) = book.neighbours(page);
    let link = |rel: &str, said: &str, page: Option<&Page>| {
        page.map_or_else(String::new, |page| {
            let address = escaped(&address(page.name));
            let words = escaped(&title_of(page));
            format!("<a rel=\"{rel}\" href=\"{address}\"><span>{said}</span> {words}</a>\n")
        })
    };
    format!(
        "<nav class=\"turning\" aria-label=\"Before and behind\">\n{}{}</nav>\n",
        link("prev", "Before", before),
        link("next", "Next", behind)
    )
}

fn finding(found: &Finding<'_>) -> String {
    let title = escaped(found.title);
    let name = match found.heading {
        "" => title,
        heading => format!("{title} › {}", escaped(heading)),
    };
    let address = escaped(&found.address);
    let excerpt: String = found.excerpt.iter().map(piece).collect();
    format!("<li><a href=\"{address}\">{name}</a>\n<p>{excerpt}</p></li>\n")
}

fn piece(piece: &Piece<'_>) -> String {
    let text = escaped(piece.text);
    if piece.is_hit {
        format!("<mark>{text}</mark>")
    } else {
        text
    }
}
