//! Words that say what sort of thing something is, language by language. Data, and how it is looked up.

use super::{ThingSort, is_kind_of};
use crate::language::Language;

use ThingSort::{
    Device, Document, Event, Measure, Money, Organism, People, Place, State, Structure, Substance,
};

type SortRow = (ThingSort, &'static str);

/// The sort of a head noun, if its language's lists or its ending tell.
pub(super) fn sort_of(head: &str, language: Language) -> Option<ThingSort> {
    let stemmer = language.stemmer();
    let stem = stemmer.stem(head);
    let fits = |known: &str| is_kind_of(&stem, &stemmer.stem(known), language);
    let listed = rows(language)
        .iter()
        .find(|(_, list)| list.split_ascii_whitespace().any(fits));
    let acts = || {
        let mut endings = endings_of_acts(language).split_ascii_whitespace();
        endings.any(|ending| head.ends_with(ending))
    };
    listed
        .map(|(sort, _)| *sort)
        .or_else(|| acts().then_some(Event))
}

/// Whether a head only says that its term is some of something else.
pub(super) fn is_partitive(head: &str, language: Language) -> bool {
    has(partitives(language), head)
}

/// Whether a word stands between "part" and what it is a part of.
pub(super) fn is_of(word: &str, language: Language) -> bool {
    has(links(language), word)
}

/// Whether an English word behind a noun begins what is said about it: "filled with", "made from".
pub(super) fn ends_noun(word: &str) -> bool {
    has("made full known", word) || (word.chars().count() > 4 && word.ends_with("ed"))
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == word)
}

const fn partitives(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => {
            "part piece kind type form set group series number pair sort class"
        }
        Language::German => "teil art form gruppe reihe anzahl sorte klasse paar satz",
        Language::Spanish => "parte tipo forma conjunto grupo serie clase",
        Language::French => "partie type forme ensemble groupe série sorte",
        Language::Italian => "parte tipo forma insieme gruppo serie specie",
        Language::Portuguese => "parte tipo forma conjunto grupo série espécie",
        Language::Arabic => "",
    }
}

const fn links(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "of",
        Language::German => "des der von aus eines einer",
        Language::Spanish | Language::Portuguese => "de del do da dos das",
        Language::French => "de du des",
        Language::Italian => "di del della dei delle",
        Language::Arabic => "",
    }
}

/// How nouns end that name what is done.
const fn endings_of_acts(language: Language) -> &'static str {
    match language {
        Language::English | Language::Other => "ation ition ution ction sion ment ing",
        Language::German => "ung ungen tion sion",
        Language::Spanish => "ción miento",
        Language::French => "ation ition ction ement",
        Language::Italian => "zione mento",
        Language::Portuguese => "ção mento",
        Language::Arabic => "",
    }
}

const fn rows(language: Language) -> &'static [SortRow] {
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

const ENGLISH: &[SortRow] = &[
    (
        People,
        "person people someone worker employee customer company business firm organisation organization group team",
    ),
    (
        Organism,
        "organism animal plant bacterium bacteria virus fungus insect microbe creature",
    ),
    (
        Substance,
        "substance material chemical compound gas liquid fluid solid metal acid protein pigment poison sugar \
carbohydrate fat mineral drug element mixture",
    ),
    (
        Device,
        "device tool instrument machine appliance apparatus equipment unit strap dressing container vessel blanket sensor switch",
    ),
    (
        Structure,
        "tissue organ cell body bone muscle tube opening pore wall door layer part structure",
    ),
    (
        Place,
        "place area room region site location space zone route path way point position spot",
    ),
    (
        Measure,
        "temperature time period length duration speed rate amount quantity range level value number share percentage \
pressure weight distance size degree",
    ),
    (
        Money,
        "tax income cost costs expense debt fee price money sum profit payment charge revenue",
    ),
    (
        Document,
        "document list statement record report form sheet book letter plan certificate contract table text",
    ),
    (
        Event,
        "process act action event transfer loss change movement method procedure measure treatment reaction use removal \
release exchange production practice technique activity",
    ),
    (
        State,
        "state condition disease illness injury ability property quality situation disorder feeling",
    ),
];

const GERMAN: &[SortRow] = &[
    (
        People,
        "person personen mensch menschen leute betrieb unternehmen firma mitarbeiter beschäftigte kunde gruppe verein",
    ),
    (
        Organism,
        "lebewesen tier pflanze organismus bakterium bakterien virus pilz insekt erreger",
    ),
    (
        Substance,
        "stoff gas flüssigkeit metall säure eiweiß protein farbstoff gift zucker fett mineral arzneimittel gemisch \
material element verbindungsstoff kohlenhydrat",
    ),
    (
        Device,
        "gerät werkzeug vorrichtung maschine instrument apparat anlage behälter gefäß schalter sensor becken",
    ),
    (
        Structure,
        "gewebe organ zelle zellbestandteil knochen muskel röhre öffnung wand tür schicht bauteil ader gebäude",
    ),
    (
        Place,
        "ort platz stelle bereich raum gebiet weg zone fläche punkt",
    ),
    (
        Measure,
        "temperatur zeit zeitraum dauer länge geschwindigkeit menge wert zahl anteil druck gewicht abstand größe grad datum",
    ),
    (
        Money,
        "steuer einkommen kosten schulden gebühr preis geld betrag gewinn zahlung kapital umsatz wertzuwächse wertverluste",
    ),
    (
        Document,
        "schriftstück liste aufstellung bericht formular buch brief plan urkunde vertrag tabelle text aufzeichnung \
gegenüberstellung verzeichnis anweisung dokument",
    ),
    (
        Event,
        "vorgang prozess verfahren ereignis handlung verlust wechsel methode maßnahme reaktion",
    ),
    (
        State,
        "zustand krankheit eigenschaft fähigkeit lage qualität merkmal störung verletzung",
    ),
];

const SPANISH: &[SortRow] = &[
    (People, "persona personas empresa grupo"),
    (Organism, "organismo animal planta bacteria virus hongo"),
    (
        Substance,
        "sustancia material compuesto gas líquido metal ácido proteína veneno azúcar",
    ),
    (
        Device,
        "dispositivo aparato herramienta instrumento máquina equipo recipiente",
    ),
    (
        Structure,
        "tejido órgano célula tubo abertura pared puerta capa",
    ),
    (Place, "lugar zona sitio espacio área camino"),
    (
        Measure,
        "temperatura tiempo período duración velocidad cantidad valor presión peso distancia",
    ),
    (
        Money,
        "impuesto ingreso costo coste gasto deuda precio dinero",
    ),
    (
        Document,
        "documento lista informe registro libro plan contrato",
    ),
    (
        Event,
        "proceso acto pérdida cambio método procedimiento reacción paso",
    ),
    (
        State,
        "estado enfermedad condición propiedad capacidad lesión",
    ),
];

const FRENCH: &[SortRow] = &[
    (People, "personne personnes entreprise groupe"),
    (
        Organism,
        "organisme animal plante bactérie virus champignon",
    ),
    (
        Substance,
        "substance matière composé gaz liquide métal acide protéine poison sucre",
    ),
    (
        Device,
        "dispositif appareil outil instrument machine équipement récipient",
    ),
    (
        Structure,
        "tissu organe cellule tube ouverture paroi porte couche",
    ),
    (Place, "lieu zone endroit espace région chemin"),
    (
        Measure,
        "température temps période durée vitesse quantité valeur pression poids distance",
    ),
    (Money, "impôt taxe revenu coût charge dette prix argent"),
    (
        Document,
        "document liste rapport registre livre plan contrat",
    ),
    (
        Event,
        "processus acte perte changement méthode procédé réaction passage",
    ),
    (State, "état maladie condition propriété capacité blessure"),
];

const ITALIAN: &[SortRow] = &[
    (People, "persona persone impresa azienda gruppo"),
    (Organism, "organismo animale pianta batterio virus fungo"),
    (
        Substance,
        "sostanza materiale composto gas liquido metallo acido proteina veleno zucchero",
    ),
    (
        Device,
        "dispositivo apparecchio strumento attrezzo macchina contenitore",
    ),
    (
        Structure,
        "tessuto organo cellula tubo apertura parete porta strato",
    ),
    (Place, "luogo zona posto spazio area percorso"),
    (
        Measure,
        "temperatura tempo periodo durata velocità quantità valore pressione peso distanza",
    ),
    (
        Money,
        "imposta tassa reddito costo spesa debito prezzo denaro",
    ),
    (
        Document,
        "documento elenco lista rapporto registro libro piano contratto",
    ),
    (
        Event,
        "processo atto perdita cambiamento metodo procedura reazione passaggio",
    ),
    (
        State,
        "stato malattia condizione proprietà capacità lesione",
    ),
];

const PORTUGUESE: &[SortRow] = &[
    (People, "pessoa pessoas empresa grupo"),
    (Organism, "organismo animal planta bactéria vírus fungo"),
    (
        Substance,
        "substância material composto gás líquido metal ácido proteína veneno açúcar",
    ),
    (
        Device,
        "dispositivo aparelho ferramenta instrumento máquina equipamento recipiente",
    ),
    (
        Structure,
        "tecido órgão célula tubo abertura parede porta camada",
    ),
    (Place, "lugar zona local espaço área caminho"),
    (
        Measure,
        "temperatura tempo período duração velocidade quantidade valor pressão peso distância",
    ),
    (Money, "imposto receita custo despesa dívida preço dinheiro"),
    (
        Document,
        "documento lista relatório registro livro plano contrato",
    ),
    (
        Event,
        "processo ato perda mudança método procedimento reação passagem",
    ),
    (State, "estado doença condição propriedade capacidade lesão"),
];
