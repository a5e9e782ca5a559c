//! The words and signs of each language.

use crate::code::vocabulary::{
    Quote,
    Trait::{
        Annotations, AnyCase, Apart, Assigned, Attributes, Calls, CapitalCalls, Capitals,
        Characters, Commands, Directives, Hashes, Heads, Keys, Macros, Mapped, Nested, Options,
        Regexes, Sections, Sigils, Symbols, Transposed, Variables, Verbatim,
    },
    Vocabulary,
};

const fn line(sign: &'static str) -> Quote {
    Quote {
        sign,
        escapes: true,
        goes_on: false,
    }
}

const fn lines(sign: &'static str) -> Quote {
    Quote {
        sign,
        escapes: true,
        goes_on: true,
    }
}

const fn raw(sign: &'static str) -> Quote {
    Quote {
        sign,
        escapes: false,
        goes_on: false,
    }
}

const fn raws(sign: &'static str) -> Quote {
    Quote {
        sign,
        escapes: false,
        goes_on: true,
    }
}

const BOTH: &[Quote] = &[line("\""), line("'")];
const SLASHES: &[&str] = &["//"];
const STARS: &[(&str, &str)] = &[("/*", "*/")];
const HASH: &[&str] = &["#"];

const C_WORDS: &str = "alignas alignof auto break case const constexpr continue default do else enum extern for goto if \
    inline register restrict return sizeof static struct switch typedef union volatile while";
const C_TYPES: &str = "bool char double float int long short signed size_t ssize_t int8_t int16_t int32_t int64_t uint8_t \
    uint16_t uint32_t uint64_t unsigned void wchar_t FILE";
const C_VALUES: &str = "true false NULL nullptr";

pub static C: Vocabulary = Vocabulary::of(&[C_WORDS])
    .knowing(C_TYPES, C_VALUES)
    .commented(SLASHES, STARS)
    .quoted(BOTH, "L u U u8")
    .with(&[Calls, Directives]);

pub static CPP: Vocabulary = Vocabulary::of(&[
    C_WORDS,
    "and catch class concept co_await co_return co_yield consteval constinit decltype delete dynamic_cast explicit export \
     final friend mutable namespace new noexcept not operator or override private protected public reinterpret_cast \
     requires static_assert static_cast template this throw try typeid typename using virtual",
])
.knowing(C_TYPES, C_VALUES)
.commented(SLASHES, STARS)
.quoted(BOTH, "L u U u8 R")
.with(&[Calls, Capitals, CapitalCalls, Directives]);

pub static OBJECTIVE_C: Vocabulary = Vocabulary::of(&[
    C_WORDS,
    "in out self super nonatomic strong weak copy readonly",
])
.knowing(C_TYPES, "YES NO nil Nil NULL true false")
.commented(SLASHES, STARS)
.quoted(BOTH, "")
.with(&[Calls, Capitals, CapitalCalls, Directives, Annotations]);

pub static JAVA: Vocabulary = Vocabulary::of(&[
    "abstract assert break case catch class const continue default do else enum exports extends final finally for goto if \
     implements import instanceof interface module native new non-sealed package permits private protected public record \
     requires return sealed static strictfp super switch synchronized this throw throws transient try var volatile when \
     while yield",
    "as def in trait",
])
.knowing("boolean byte char double float int long short void", "true false null")
.commented(SLASHES, STARS)
.quoted(&[lines("\"\"\""), line("\""), line("'")], "")
.with(&[Calls, Capitals, Annotations]);

pub static C_SHARP: Vocabulary = Vocabulary::of(&[
    "abstract as async await base break case catch checked class const continue default delegate do else enum event \
     explicit extern finally fixed for foreach get goto if implicit in init interface internal is lock namespace new \
     operator out override params partial private protected public readonly record ref required return sealed set sizeof \
     stackalloc static struct switch this throw try typeof unchecked unsafe using var virtual volatile when where while \
     with yield",
])
.knowing(
    "bool byte char decimal double dynamic float int long nint object sbyte short string uint ulong ushort void",
    "true false null",
)
.commented(SLASHES, STARS)
.quoted(&[lines("\"\"\""), line("\""), line("'")], "")
.with(&[Calls, Capitals, CapitalCalls, Directives, Verbatim]);

const JS_WORDS: &str = "as async await break case catch class const continue debugger default delete do else export \
    extends finally for from function get if import in instanceof let new of return set static super switch this throw \
    try typeof var void while with yield";
const JS_VALUES: &str = "true false null undefined NaN Infinity";
const JS_QUOTES: &[Quote] = &[line("\""), line("'"), lines("`")];

pub static JAVASCRIPT: Vocabulary = Vocabulary::of(&[JS_WORDS])
    .knowing("", JS_VALUES)
    .spelled("$#")
    .commented(SLASHES, STARS)
    .quoted(JS_QUOTES, "")
    .with(&[Calls, Capitals, Annotations, Regexes]);

pub static TYPESCRIPT: Vocabulary = Vocabulary::of(&[
    JS_WORDS,
    "abstract accessor asserts declare enum implements infer interface is keyof namespace override private protected \
     public readonly satisfies type unique",
])
.knowing("any bigint boolean never number object string symbol unknown void", JS_VALUES)
.spelled("$#")
.commented(SLASHES, STARS)
.quoted(JS_QUOTES, "")
.with(&[Calls, Capitals, Annotations, Regexes]);

pub static PYTHON: Vocabulary = Vocabulary::of(&[
    "and as assert async await break case class continue def del elif else except finally for from global if import in is \
     lambda match nonlocal not or pass raise return try while with yield",
])
.knowing(
    "bool bytes complex dict float frozenset int list object set str tuple type",
    "True False None self cls",
)
.commented(HASH, &[])
.quoted(
    &[lines("\"\"\""), lines("'''"), line("\""), line("'")],
    "r b f u br rb fr rf t",
)
.with(&[Calls, Capitals, Annotations]);

pub static RUST: Vocabulary = Vocabulary::of(&[
    "as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut pub ref \
     return self static struct super trait type union unsafe use where while",
])
.knowing(
    "bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self",
    "true false",
)
.commented(SLASHES, STARS)
.quoted(&[lines("\"")], "b c")
.with(&[Calls, Capitals, Attributes, Macros, Nested, Characters, Hashes]);

pub static GO: Vocabulary = Vocabulary::of(&[
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package range \
     return select struct switch type var",
])
.knowing(
    "any bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 \
     uint32 uint64 uintptr",
    "true false nil iota",
)
.commented(SLASHES, STARS)
.quoted(&[line("\""), line("'"), raws("`")], "")
.with(&[Calls, Capitals, CapitalCalls]);

pub static KOTLIN: Vocabulary = Vocabulary::of(&[
    "abstract actual annotation as break by catch class companion const constructor continue crossinline data do else enum \
     expect external final finally for fun get if import in infix init inline inner interface internal is lateinit noinline \
     object open operator out override package private protected public reified return sealed set super suspend tailrec \
     this throw try typealias val value var vararg when where while",
])
.knowing("", "true false null it")
.commented(SLASHES, STARS)
.quoted(&[raws("\"\"\""), line("\""), line("'")], "")
.with(&[Calls, Capitals, Annotations, Nested]);

pub static SWIFT: Vocabulary = Vocabulary::of(&[
    "actor any as associatedtype async await break case catch class continue convenience default defer deinit do else enum \
     extension fallthrough fileprivate final for func get guard if import in indirect init inout internal is lazy let \
     mutating open operator optional override private protocol public repeat required rethrows return self set some static \
     struct subscript super switch throw throws try typealias unowned var weak where while willSet didSet",
])
.knowing("", "true false nil")
.commented(SLASHES, STARS)
.quoted(&[lines("\"\"\""), line("\"")], "")
.with(&[Calls, Capitals, Annotations, Nested]);

pub static SCALA: Vocabulary = Vocabulary::of(&[
    "abstract case catch class def derives do else end enum export extends extension final finally for forSome given if \
     implicit import inline lazy match new object open opaque override package private protected return sealed super then \
     this throw trait transparent try type using val var while with yield",
])
.knowing("", "true false null")
.commented(SLASHES, STARS)
.quoted(&[raws("\"\"\""), line("\"")], "s f raw")
.with(&[Calls, Capitals, Annotations, Nested, Characters]);

pub static DART: Vocabulary = Vocabulary::of(&[
    "abstract as assert async await base break case catch class const continue covariant default deferred do else enum \
     export extends extension external factory final finally for get if implements import in interface is late library \
     mixin new on operator part required rethrow return sealed set show static super switch sync this throw try typedef var \
     when while with yield",
])
.knowing("bool double dynamic int num void", "true false null")
.commented(SLASHES, STARS)
.quoted(&[lines("'''"), lines("\"\"\""), line("\""), line("'")], "r")
.with(&[Calls, Capitals, Annotations]);

pub static PHP: Vocabulary = Vocabulary::of(&[
    "abstract and array as break callable case catch class clone const continue declare default do echo else elseif empty \
     enum extends final finally fn for foreach function global goto if implements include include_once instanceof insteadof \
     interface isset list match namespace new or print private protected public readonly require require_once return \
     static switch throw trait try unset use var while xor yield",
])
.knowing(
    "bool float int iterable mixed never object string void",
    "true false null TRUE FALSE NULL",
)
.commented(&["//", "#"], STARS)
.quoted(&[lines("\""), lines("'")], "")
.with(&[Calls, Capitals, Variables, Attributes]);

pub static RUBY: Vocabulary = Vocabulary::of(&[
    "alias and attr_accessor attr_reader attr_writer begin break case class def defined? do else elsif end ensure extend \
     for if in include module next not or prepend private protected public raise redo require require_relative rescue \
     retry return self super then undef unless until when while yield",
])
.knowing("", "true false nil")
.spelled("?")
.commented(HASH, &[("=begin", "=end")])
.quoted(&[lines("\""), lines("'")], "")
.with(&[Calls, Capitals, Variables, Sigils, Symbols, Regexes]);

pub static PERL: Vocabulary = Vocabulary::of(&[
    "and chomp cmp defined delete die do each else elsif eq exists for foreach ge gt if join keys last le local lt map my \
     ne next no not or our package print push return say shift sort split sub unless until use while xor",
])
.commented(HASH, &[("=pod", "=cut")])
.quoted(&[lines("\""), lines("'")], "")
.with(&[Calls, Capitals, Variables, Sigils, Regexes]);

pub static LUA: Vocabulary = Vocabulary::of(&[
    "and break do else elseif end for function goto if in local not or repeat return then until while",
])
.knowing("", "true false nil self")
.commented(&["--"], &[("--[[", "]]")])
.quoted(BOTH, "")
.with(&[Calls]);

pub static R: Vocabulary = Vocabulary::of(&[
    "break else for function if in library next repeat require return source while",
])
.knowing("", "TRUE FALSE NULL NA NaN Inf T F")
.spelled(".")
.commented(HASH, &[])
.quoted(&[lines("\""), lines("'")], "r")
.with(&[Calls]);

pub static JULIA: Vocabulary = Vocabulary::of(&[
    "abstract baremodule begin break catch const continue do else elseif end export finally for function global if import \
     in isa let local macro module mutable primitive quote return struct try type using where while",
])
.knowing("", "true false nothing missing Inf NaN pi")
.spelled("!")
.commented(HASH, &[("#=", "=#")])
.quoted(&[lines("\"\"\""), line("\"")], "r b raw")
.with(&[Calls, Capitals, Annotations, Nested, Symbols, Transposed, Characters]);

pub static MATLAB: Vocabulary = Vocabulary::of(&[
    "break case catch classdef continue else elseif end endfunction for function global if methods otherwise parfor \
     persistent properties return switch try while",
])
.knowing("", "true false pi inf nan eps Inf NaN")
.commented(&["%", "..."], &[("%{", "%}")])
.quoted(&[raw("\""), raw("'")], "")
.with(&[Calls, Transposed]);

pub static SQL: Vocabulary = Vocabulary::of(&[
    "add all alter analyze and any as asc begin between by cascade case cast check collate column commit conflict constraint \
     create cross current database default delete desc distinct do drop else end escape except exists explain fetch \
     filter first for foreign from full function grant group having if in index inner insert intersect into is join key last \
     left like limit materialized natural not nothing nulls of offset on or order outer over partition primary procedure \
     recursive references replace returning revoke right rollback row rows schema select set table temporary then to \
     transaction trigger truncate union unique update using values view when where window with",
])
.knowing(
    "bigint binary blob boolean bytea char character date datetime decimal double float int integer interval json jsonb \
     numeric precision real serial smallint text time timestamp timestamptz uuid varchar varying",
    "true false null current_date current_time current_timestamp",
)
.commented(&["--"], STARS)
.quoted(&[raws("'"), raw("\""), raw("`")], "")
.with(&[AnyCase, Calls]);

pub static SHELL: Vocabulary = Vocabulary::of(&[
    "break case continue declare do done elif else esac eval exec exit export fi for function if in local readonly return \
     select set shift source then trap unset until while alias",
    "cat cd chmod chown cp curl cut docker echo find git grep head kill ls mkdir mv npm printf ps pwd python read rm sed \
     sort ssh sudo tail tar test touch tr wget xargs",
])
.knowing("", "true false")
.spelled("-./")
.commented(HASH, &[])
.quoted(&[lines("\""), raws("'")], "")
.with(&[Apart, Variables, Options]);

pub static POWERSHELL: Vocabulary = Vocabulary::of(&[
    "begin break catch class continue data do dynamicparam else elseif end enum exit filter finally for foreach from \
     function if in param process return switch throw trap try until using while",
])
.spelled("-")
.commented(HASH, &[("<#", "#>")])
.quoted(&[raws("\""), raws("'")], "")
.with(&[AnyCase, Capitals, CapitalCalls, Calls, Variables, Options]);

pub static HASKELL: Vocabulary = Vocabulary::of(&[
    "as case class data default deriving do else family forall foreign hiding if import in infix infixl infixr instance let \
     module newtype of qualified then type where",
])
.spelled("'")
.commented(&["--"], &[("{-", "-}")])
.quoted(&[line("\"")], "")
.with(&[Capitals, Nested, Characters]);

pub static PASCAL: Vocabulary = Vocabulary::of(&[
    "and array as asm begin case class const constructor destructor div do downto else end except exports file finalization \
     finally for function goto if implementation in inherited initialization inline interface is label mod not object of on \
     operator or packed private procedure program property protected public raise record repeat set shl shr then threadvar \
     to try type unit until uses var while with xor",
])
.knowing(
    "boolean byte char double integer longint real string word",
    "true false nil",
)
.commented(SLASHES, &[("{", "}"), ("(*", "*)")])
.quoted(&[raw("'")], "")
.with(&[AnyCase, Calls]);

pub static BASIC: Vocabulary = Vocabulary::of(&[
    "addhandler and andalso as byref byval call case catch class const dim do each else elseif end enum exit finally for \
     friend function get gosub goto handles if implements imports in inherits input interface is isnot let like loop me mod \
     module mustinherit mybase namespace new next not of on option optional or orelse overrides print private property \
     protected public readonly redim rem return select set shared static step stop structure sub then throw to try until \
     using wend when while with",
])
.knowing(
    "boolean byte char date decimal double integer long object short single string",
    "true false nothing",
)
.commented(&["'"], &[])
.quoted(&[raw("\"")], "")
.with(&[AnyCase, Calls]);

pub static LISP: Vocabulary = Vocabulary::of(&[
    "and begin case cond define define-syntax defmacro defparameter defun defvar defn def do else fn if lambda let let* \
     letrec loop ns or quote set! setf setq unless when",
])
.knowing("", "nil t")
.spelled("-+*/!?<>=%&")
.commented(&[";"], &[("#|", "|#")])
.quoted(&[lines("\"")], "")
.with(&[Heads]);

pub static DOCKERFILE: Vocabulary = Vocabulary::of(&[
    "ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL MAINTAINER ONBUILD RUN SHELL STOPSIGNAL USER VOLUME \
     WORKDIR",
])
.spelled("-./")
.commented(HASH, &[])
.quoted(BOTH, "")
.with(&[Apart, Variables, Options]);

pub static TEX: Vocabulary = Vocabulary::of(&[]).commented(&["%"], &[]).with(&[Commands]);

pub static JSON: Vocabulary = Vocabulary::of(&[])
    .knowing("", "true false null")
    .commented(SLASHES, STARS)
    .quoted(&[line("\"")], "")
    .with(&[Keys]);

pub static YAML: Vocabulary = Vocabulary::of(&[])
    .knowing("", "true false null yes no on off")
    .spelled("-./")
    .commented(HASH, &[])
    .quoted(&[lines("\""), raws("'")], "")
    .with(&[Apart, Keys, Mapped]);

pub static SETTINGS: Vocabulary = Vocabulary::of(&[])
    .knowing("", "true false")
    .spelled("-.")
    .commented(&["#", ";"], &[])
    .quoted(&[lines("\"\"\""), raws("'''"), line("\""), raw("'")], "")
    .with(&[Apart, Assigned, Sections]);
