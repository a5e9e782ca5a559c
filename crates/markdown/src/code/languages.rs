//! Which language is meant by a name behind the backticks.

use crate::code::tables;
use crate::code::vocabulary::Vocabulary;

/// How a language is read.
#[derive(Debug, Clone, Copy)]
pub enum Grammar {
    /// Word by word.
    Words(&'static Vocabulary),
    /// HTML and its kin.
    Markup,
    /// The same with another language within.
    WithinMarkup(&'static Vocabulary),
    /// Style sheets.
    Styles,
    /// What has changed, line by line.
    Differences,
}

/// How a language is read, by its name in small letters; none that has no table.
pub fn grammar(name: &str) -> Option<Grammar> {
    let vocabulary = match name {
        "html" | "xml" | "svg" => return Some(Grammar::Markup),
        "php" => return Some(Grammar::WithinMarkup(&tables::PHP)),
        "css" => return Some(Grammar::Styles),
        "diff" => return Some(Grammar::Differences),
        "basic" | "vb" => &tables::BASIC,
        "bash" | "console" | "sh" | "shell" | "zsh" => &tables::SHELL,
        "c" => &tables::C,
        "c++" | "cpp" => &tables::CPP,
        "c#" | "cs" | "csharp" => &tables::C_SHARP,
        "dart" => &tables::DART,
        "docker" | "dockerfile" => &tables::DOCKERFILE,
        "go" | "golang" => &tables::GO,
        "groovy" | "java" => &tables::JAVA,
        "haskell" | "hs" => &tables::HASKELL,
        "ini" | "toml" => &tables::SETTINGS,
        "javascript" | "js" | "jsx" => &tables::JAVASCRIPT,
        "json" => &tables::JSON,
        "julia" => &tables::JULIA,
        "kotlin" | "kt" => &tables::KOTLIN,
        "latex" | "tex" => &tables::TEX,
        "lisp" | "scheme" => &tables::LISP,
        "lua" => &tables::LUA,
        "matlab" => &tables::MATLAB,
        "objectivec" => &tables::OBJECTIVE_C,
        "pascal" => &tables::PASCAL,
        "perl" => &tables::PERL,
        "powershell" | "ps1" => &tables::POWERSHELL,
        "py" | "python" => &tables::PYTHON,
        "r" => &tables::R,
        "rb" | "ruby" => &tables::RUBY,
        "rs" | "rust" => &tables::RUST,
        "scala" => &tables::SCALA,
        "sql" => &tables::SQL,
        "swift" => &tables::SWIFT,
        "ts" | "tsx" | "typescript" => &tables::TYPESCRIPT,
        "yaml" | "yml" => &tables::YAML,
        _ => return None,
    };
    Some(Grammar::Words(vocabulary))
}
