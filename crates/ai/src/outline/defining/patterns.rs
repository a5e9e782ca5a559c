//! The patterns of sentences that define, language by language. Data only; what is read out of them is judged in the
//! module above.
//!
//! `TERM` stands for one to four words, `ART` for the language's articles, `END` for where a term at the end of a
//! clause is over. Every pattern names its `term`, and its `meaning` unless the sentence before says it.

use super::Pattern::{self, Called, Is, Listed, Means};
use crate::language::Language;

/// A pattern and what it says of the sentences it fits.
pub(super) type Row = (Pattern, &'static str);

/// A list's or a glossary's line, in every language.
pub(super) const LISTED: &[Row] = &[
    (Listed, r"^TERM: (?P<meaning>.+)$"),
    (Listed, r"^TERM [–—] (?P<meaning>[^–—]+)$"),
];

/// What stands for `ART`, with the space behind it.
pub(super) const fn articles(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other | Language::Arabic => "(?:(?:[Aa]n?|[Tt]he) )?",
        Language::German => {
            "(?:(?:[Dd]er|[Dd]ie|[Dd]as|[Dd]en|[Dd]em|[Ee]in|[Ee]ine|[Ee]inen|[Ee]iner|[Ee]inem) )?"
        }
        Language::Spanish => "(?:(?:[Ee]l|[Ll]a|[Ll]os|[Ll]as|[Uu]n|[Uu]na|[Uu]nos|[Uu]nas) )?",
        Language::French => "(?:(?:[Ll]e|[Ll]a|[Ll]es|[Uu]n|[Uu]ne|[Dd]es|[Dd]u) |[Ll]['’])?",
        Language::Italian => {
            "(?:(?:[Ii]l|[Ll]o|[Ll]a|[Ii]|[Gg]li|[Ll]e|[Uu]n|[Uu]no|[Uu]na) |[Ll]['’]|[Uu]n['’])?"
        }
        Language::Portuguese => "(?:(?:[Oo]|[Aa]|[Oo]s|[Aa]s|[Uu]m|[Uu]ma) )?",
    }
}

/// Whether a text is one article and nothing else.
pub(super) fn is_article(text: &str, language: Language) -> bool {
    let word = text.trim().to_lowercase();
    let known = match language {
        Language::English | Language::Other | Language::Arabic => "a an the",
        Language::German => "der die das den dem ein eine einen einer einem",
        Language::Spanish => "el la los las un una unos unas",
        Language::French => "le la les un une des du l' l’",
        Language::Italian => "il lo la i gli le un uno una l' l’ un' un’",
        Language::Portuguese => "o a os as um uma",
    };
    known.split(' ').any(|article| article == word)
}

/// How a second statement about the same thing begins.
pub(super) const fn second_statements(language: Language) -> &'static [&'static str] {
    match language {
        Language::English | Language::Other => &[
            ", and it ",
            ", and they ",
            ", and is ",
            " and is ",
            " and are ",
            " and it ",
            ", but ",
            "; ",
            ", so ",
        ],
        Language::German => &[
            " und wird ",
            " und werden ",
            " und ist ",
            " und sind ",
            " und hat ",
            " und liegt ",
            ", aber ",
            "; ",
        ],
        Language::Spanish => &[" y se ", " y es ", " y son ", ", pero ", "; "],
        Language::French => &[" et est ", " et sont ", " et se ", ", mais ", " ; "],
        Language::Italian => &[" ed è ", " e si ", " e sono ", ", ma ", "; "],
        Language::Portuguese => &[" e é ", " e são ", " e se ", ", mas ", "; "],
        Language::Arabic => &[],
    }
}

/// Words that point to another sentence.
pub(super) const fn open_words(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "this these those both",
        Language::German => "dies diese dieser diesem diesen dieses beides",
        Language::Spanish => "esto esta este estos estas ambos",
        Language::French => "ceci cela celui celle",
        Language::Italian => "questo questa questi queste entrambi",
        Language::Portuguese => "isto isso este esta estes ambos",
        Language::Arabic => "",
    }
}

/// Words with which a text breaks off.
pub(super) const fn relatives(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "which that who and it",
        Language::German => "die der das was und",
        Language::Spanish | Language::Portuguese => "que y e o",
        Language::French => "qui que ce et",
        Language::Italian => "che e ciò",
        Language::Arabic => "",
    }
}

/// Words behind an article that judge a thing instead of saying what it is.
pub(super) const fn judging(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "right best usual only main good better common same most great bad ideal perfect"
        }
        Language::German => {
            "gute guter gutes richtige richtiger beste bester bestes wichtigste häufigste übliche einzige ideale"
        }
        Language::Spanish => "mejor buen buena única único principal",
        Language::French => "meilleur meilleure bon bonne seul seule principal principale",
        Language::Italian => "migliore buon buona unico unica principale",
        Language::Portuguese => "melhor bom boa única único principal",
        Language::Arabic => "",
    }
}

/// The patterns of a language, the surest first.
pub(super) const fn rows(language: Language) -> &'static [Row] {
    match language {
        Language::English | Language::Other => ENGLISH,
        Language::German => GERMAN,
        Language::Spanish => SPANISH,
        Language::French => FRENCH,
        Language::Italian => ITALIAN,
        Language::Portuguese => PORTUGUESE,
        Language::Arabic => &[],
    }
}

const ENGLISH: &[Row] = &[
    (
        Called,
        r"^(?P<meaning>.+?),? (?:is|are) (?:also |often |usually )?(?:called|known as|termed|named) ARTTERMEND",
    ),
    (
        Called,
        r"^(?P<meaning>.+?) (?:\p{L}+ )?calls? (?:this|that|these|those|such)(?: \p{L}+)? (?:an?|the) TERMEND",
    ),
    (
        Called,
        r"^(?P<meaning>.+?) (?:\p{L}+ )?calls? (?:it|them|this|these) ARTTERMEND",
    ),
    (
        Means,
        r"^ARTTERM (?:means|refers to|denotes|stands for) (?P<meaning>.+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:is|are) (?P<meaning>(?:an?|the|one|any|all|every) .+)$",
    ),
    (
        Is,
        r"^TERM (?:is|are) (?P<meaning>(?:[\p{L}-]+ ){0,2}(?:[\p{L}-]*[^\Wgdy_]|food|body|energy|liquid|acid|compound|method|fluid|thing) (?:that|which|who|whose|in which|with which|made of|made from) .+)$",
    ),
];

const GERMAN: &[Row] = &[
    (
        Means,
        r"^Unter (?:der |dem |einem |einer |den )?TERM versteht man (?P<meaning>.+)$",
    ),
    (Means, r"^Als TERM bezeichnet man (?P<meaning>.+)$"),
    (
        Means,
        r"^(?:Von|Bei) (?:einem |einer )?TERM spricht man, (?P<meaning>wenn .+)$",
    ),
    (
        Called,
        r"^(?P<meaning>.+?),? (?:nennt|bezeichnet|heißt) man (?:auch |oft )?(?:als )?ARTTERMEND",
    ),
    (
        Called,
        r"^(?P<meaning>.+?) (?:wird|werden) (?:auch |oft )?(?:als )?ARTTERM (?:genannt|bezeichnet)",
    ),
    (
        Called,
        r"^(?P<meaning>.+?),? (?:heißt|heißen|nennt sich|nennen sich) (?:auch )?ARTTERMEND",
    ),
    (
        Means,
        r"^ARTTERM (?:bezeichnet|bezeichnen|bedeutet|bedeuten) (?P<meaning>.+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:ist|sind) (?P<meaning>(?:ein|eine|einer|der|die|das|alle|jede|jeder|jedes) .+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:ist|sind) (?P<meaning>(?:\p{Ll}+ )?\p{Lu}[\p{L}-]+(?:, (?:die|der|das|deren|dessen|in|mit|durch|aus|an|auf)|,? (?:aus|von|für|zum|zur|mit)) .+)$",
    ),
];

const SPANISH: &[Row] = &[
    (
        Called,
        r"^(?P<meaning>.+?),? (?:se llaman?|se denominan?|se conocen? como|recibe el nombre de|reciben el nombre de) (?:también )?ARTTERMEND",
    ),
    (
        Means,
        r"^(?:Se llama|Se denomina|Llamamos|Denominamos) TERM (?:al?|a la|a los|a las) (?P<meaning>.+)$",
    ),
    (
        Means,
        r"^ARTTERM (?:significa|designa|consiste en|se refiere a) (?P<meaning>.+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:es|son) (?P<meaning>(?:una?|unos|unas|el|la|los|las|cualquier|todo|toda) .+)$",
    ),
];

const FRENCH: &[Row] = &[
    (
        Called,
        r"^(?P<meaning>.+?),? (?:s['’]appelle(?:nt)?|se nomme(?:nt)?|est appelée?|sont appelée?s|est dite?) (?:aussi )?ARTTERMEND",
    ),
    (
        Called,
        r"^(?P<meaning>.+?)(?:,)? (?:on|nous) (?:l['’]|les )?appell?(?:e|ons) (?:(?:cela|ce|cette|cet|ces) )?(?:\p{L}+ )?(?:le |la |les |l['’]|une? )TERMEND",
    ),
    (
        Means,
        r"^On appelle TERM (?P<meaning>(?:une?|des|les?|la|l['’]|tout|toute) ?.+)$",
    ),
    (
        Means,
        r"^ARTTERM (?:désigne|signifie|consiste en|correspond à) (?P<meaning>.+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:est|sont) (?P<meaning>(?:(?:une?|des|les?|la|tout|toute) |l['’]).+)$",
    ),
];

const ITALIAN: &[Row] = &[
    (
        Called,
        r"^(?P<meaning>.+?),? (?:si chiamano?|è dett[oa]|sono dett[ie]|viene (?:chiamat|dett)[oa]|vengono (?:chiamat|dett)[ie]|prende il nome di) (?:anche )?ARTTERMEND",
    ),
    (Means, r"^Per TERM si intende (?P<meaning>.+)$"),
    (
        Means,
        r"^Si chiama TERM (?P<meaning>(?:il|lo|la|l['’]|un|uno|una) ?.+)$",
    ),
    (
        Means,
        r"^ARTTERM (?:significa|indica|consiste in|consiste nel) (?P<meaning>.+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:è|sono) (?P<meaning>(?:(?:uno?|una|il|lo|la|i|gli|le|ogni) |l['’]|un['’]).+)$",
    ),
];

const PORTUGUESE: &[Row] = &[
    (
        Called,
        r"^(?P<meaning>.+?),? (?:chamam?-se|se chamam?|é chamad[oa](?: de)?|são chamad[oa]s(?: de)?|denominam?-se|é conhecid[oa] como|são conhecid[oa]s como|recebe o nome de) (?:também )?ARTTERMEND",
    ),
    (Means, r"^Entende-se por TERM (?P<meaning>.+)$"),
    (Means, r"^Chama-se TERM (?:ao?|à|aos|às) (?P<meaning>.+)$"),
    (
        Means,
        r"^ARTTERM (?:significa|designa|consiste em|refere-se a) (?P<meaning>.+)$",
    ),
    (
        Is,
        r"^ARTTERM (?:é|são) (?P<meaning>(?:uma?|uns|umas|o|a|os|as|qualquer|todo|toda) .+)$",
    ),
];

/// Words that head a subject without naming a term: "the reason is the …".
pub(super) const fn generic(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other | Language::Arabic => {
            "reason reasons example examples result results aim goal problem problems mistake mistakes way ways part parts kind \
kinds type types first second third next last step steps answer question questions thing things point points difference advantage \
advantages disadvantage rule rules case cases idea purpose cause causes effect effects task tasks job role place places time times \
side danger risk exception alternative solution key word words term terms name names number numbers people person somebody anyone \
everyone everybody best worst good bad new old important common typical main same opposite note tip warning lesson course unit \
chapter today day remember consequence sign signs"
        }
        Language::German => {
            "grund gründe beispiel beispiele ergebnis ergebnisse ziel ziele problem probleme fehler weg wege teil teile art \
arten schritt schritte antwort frage fragen ding dinge punkt punkte unterschied vorteil vorteile nachteil nachteile regel regeln fall \
fälle idee zweck ursache ursachen folge folgen aufgabe aufgaben ort zeit seite gefahr risiko ausnahme lösung wort wörter begriff \
begriffe name namen zahl zahlen mensch menschen person hinweis tipp wichtig wichtigste häufigste größte beste erste zweite dritte \
letzte nächste lektion kurs kapitel zeichen dauer menge rolle alternative"
        }
        Language::Spanish => {
            "razón ejemplo ejemplos resultado objetivo problema problemas error errores manera forma parte partes tipo tipos primer \
primera primero segundo segunda paso pasos respuesta pregunta cosa cosas punto diferencia ventaja ventajas regla caso idea causa causas \
efecto tarea lugar tiempo riesgo excepción solución palabra término nombre número persona personas mejor peor principal lección curso"
        }
        Language::French => {
            "raison exemple exemples résultat but objectif problème problèmes erreur erreurs façon manière partie parties type types \
premier première second seconde étape étapes réponse question chose choses point différence avantage avantages règle cas idée cause \
causes effet tâche lieu temps risque exception solution mot terme nom nombre personne personnes meilleur meilleure pire principal \
principale leçon cours"
        }
        Language::Italian => {
            "ragione motivo esempio esempi risultato scopo obiettivo problema problemi errore errori modo parte parti tipo tipi primo \
prima secondo seconda passo passi risposta domanda cosa cose punto differenza vantaggio vantaggi regola caso idea causa cause effetto \
compito luogo tempo rischio eccezione soluzione parola termine nome numero persona persone migliore peggiore principale lezione corso"
        }
        Language::Portuguese => {
            "razão motivo exemplo exemplos resultado objetivo problema problemas erro erros maneira forma modo parte partes tipo tipos \
primeiro primeira segundo segunda passo passos resposta pergunta coisa coisas ponto diferença vantagem vantagens regra caso ideia causa \
causas efeito tarefa lugar tempo risco exceção solução palavra termo nome número pessoa pessoas melhor pior principal lição curso"
        }
    }
}

/// Small words that may stand inside a term: "point of sale".
pub(super) const fn joints(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "of",
        Language::Spanish => "de del",
        Language::French => "de du des à d",
        Language::Italian => "di del della dei delle d a",
        Language::Portuguese => "de do da dos das",
        Language::German | Language::Arabic => "",
    }
}
