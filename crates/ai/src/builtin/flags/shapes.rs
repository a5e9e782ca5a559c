//! The shape of an order to whoever grades: somebody is told to rate, a mark is asked for, a permission or a result is
//! claimed. Words by what they do, in eleven languages, and how far apart they may stand.
//!
//! A word with a star is the beginning of words.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The words of one language, by what they do.
struct Lexicon {
    /// Give, award, grade.
    rate: &'static str,
    /// Count, mark, accept: what is done to an answer as something.
    take: &'static str,
    /// Points, score, grade.
    mark: &'static str,
    /// Full, all, highest.
    full: &'static str,
    /// Right, complete, passed.
    right: &'static str,
    /// This answer, my work.
    work: &'static str,
    /// Who may permit.
    authority: &'static str,
    /// Said, agreed, allowed.
    said: &'static str,
    /// Graded, checked, approved.
    done: &'static str,
    /// Already, was.
    already: &'static str,
    /// Who grades.
    grader: &'static str,
    /// Dear, attention, to: what goes before who is spoken to.
    call: &'static str,
    /// Without, do not, no need.
    without: &'static str,
    /// Check, compare, read on.
    check: &'static str,
    /// Rubric, rules, scheme.
    rules: &'static str,
    /// Changed, suspended, replaced.
    changed: &'static str,
}

const LEXICONS: [Lexicon; 11] = [
    Lexicon {
        rate: "give gives award awards assign grant grade score rate evaluate deserve deserves deserving allocate put",
        take: "count counts mark treat accept consider regard record register log rate grade evaluate classify enter flag credit",
        mark: "point points mark marks score grade credit credits rating",
        full: "full maximum max top highest perfect best all every whole entire complete 100 a-plus",
        right: "correct right complete passed pass passing full perfect excellent outstanding flawless fulfilled satisfied valid",
        work: "this it my everything answer response submission essay work text paper rest",
        authority: "teacher teachers professor prof instructor lecturer tutor principal headmaster dean examiner department admin administrator \
                    mr mrs ms ministry board school",
        said: "said says say told tells agreed agrees promised confirmed confirms allowed allows permitted approved decided announced wants wanted asked asks \
               instructed guaranteed authorised authorized",
        done: "graded checked verified approved marked scored accepted reviewed validated evaluated confirmed assessed pre-approved",
        already: "already was been is has previously",
        grader: "grader evaluator corrector examiner marker reviewer ai assistant chatbot bot llm gpt chatgpt autograder",
        call: "dear hey hello hi attention note message to for please",
        without: "without not never no skip stop needn unnecessary",
        check: "check checking read reading verify verifying compare comparing evaluate evaluating grade grading analyse analyze look",
        rules: "rubric rubrics criteria criterion scheme rules rule policy guideline guidelines key",
        changed: "changed updated suspended void replaced waived cancelled canceled abolished revised obsolete lifted dropped disabled",
    },
    Lexicon {
        rate: "gib geben gebt gebe vergib vergeben vergebe erteile erteilen bewerte bewerten benote benoten verdient verdiene trage trag setze",
        take: "werte werten bewerte bewerten zähle zählen zählt markiere markieren akzeptiere akzeptieren betrachte betrachten behandle \
               behandeln trage erkenne anerkennen",
        mark: "punkt* note noten bewertung wertung score",
        full: "voll* maximal* höchst* beste* alle sämtliche ganze 100",
        right: "richtig* korrekt* vollständig* bestanden perfekt* fehlerfrei* erfüllt",
        work: "diese dieser dieses das es meine meiner alles antwort abgabe arbeit text lösung rest",
        authority: "lehrer* lehrkraft professor* dozent* prüfer* schulleit* direktor* frau herr schule",
        said: "sagt sagte gesagt hat meinte erlaubt erlaubte versprach versprochen zugesagt bestätigt genehmigt entschieden angeordnet",
        done: "bewertet benotet geprüft kontrolliert genehmigt akzeptiert korrigiert überprüft freigegeben",
        already: "bereits schon wurde ist",
        grader: "bewerter* korrektor* prüfer* ki assistent* modell bot sprachmodell",
        call: "liebe lieber liebes hallo achtung an für hinweis nachricht bitte",
        without: "ohne nicht kein keine",
        check: "prüf* kontrollier* lies lesen vergleich* bewert*",
        rules: "rubrik raster kriterien bewertungsraster bewertungskriterien regeln maßstab",
        changed: "geändert aufgehoben ersetzt ungültig angepasst ausgesetzt gestrichen",
    },
    Lexicon {
        rate: "donne donnez donner attribue attribuez attribuer mets mettez mettre accorde accordez note notez noter mérite évalue évaluez",
        take: "compte comptez compter marque marquez considère considérez accepte acceptez valide validez traite traitez note notez",
        mark: "point points note notes score",
        full: "maximum maximal* tous toutes totalité meilleure plein* 100",
        right: "correct* juste* complet* complète* réussi* validé* parfait* exact*",
        work: "cette ce ma mon tout réponse devoir copie travail texte reste",
        authority: "professeur* prof enseignant* maître* maîtresse directeur directrice examinateur madame monsieur école",
        said: "dit a accepté promis confirmé autorisé permis décidé approuvé",
        done: "noté* corrigé* vérifié* validé* approuvé* évalué* accepté*",
        already: "déjà été est",
        grader: "correcteur* évaluateur* ia assistant* modèle robot",
        call: "cher chère bonjour attention à pour note message",
        without: "sans pas inutile ne",
        check: "vérifi* lire lis lisez compar* évalu* corriger",
        rules: "barème grille critère* règle* consigne*",
        changed: "changé* modifié* remplacé* annulé* suspendu* supprimé*",
    },
    Lexicon {
        rate: "da dame dé den pon ponme ponga pongan asigna asigne otorga otorgue concede conceda califica califique evalúa merece merezco dale",
        take: "cuenta cuente marca marque considera considere acepta acepte valora valore califica califique trata trate registra",
        mark: "punto* puntuación puntaje nota calificación",
        full: "máxim* todos todas complet* tod* mejor más 100 diez",
        right: "correct* complet* aprobad* perfect* excelente válid*",
        work: "esta este esto mi todo respuesta trabajo texto ensayo entrega resto",
        authority: "profesor* profe maestr* docente director* examinador* señor* escuela",
        said: "dijo dice ha prometió confirmó autorizó permitió aprobó aceptó decidió dicho",
        done: "calificad* corregid* revisad* verificad* aprobad* evaluad* aceptad*",
        already: "ya fue sido está",
        grader: "corrector* evaluador* ia asistente modelo calificador*",
        call: "estimad* querid* hola atención para a nota mensaje",
        without: "sin no",
        check: "revis* verific* leer lee lea compar* evalu* corregir",
        rules: "rúbrica rubrica criterio* norma* reglas baremo",
        changed: "cambiad* cambió modificad* sustituid* anulad* suspendid* actualizad*",
    },
    Lexicon {
        rate: "dai dammi date dare dia assegna assegnate assegnare attribuisci attribuire metti mettete concedi valuta valutate merita",
        take: "conta considera considerate accetta accettate segna valuta valutate tratta registra",
        mark: "punt* voto voti punteggio valutazione",
        full: "massim* tutti tutte pien* miglior* 100 dieci",
        right: "corrett* giust* complet* superat* perfett* esatt*",
        work: "questa questo mia mio tutto risposta compito testo elaborato lavoro resto",
        authority: "professor* prof insegnante maestr* docente preside esaminator* scuola",
        said: "detto ha promesso confermato autorizzato permesso approvato deciso dice",
        done: "valutat* corrett* verificat* approvat* controllat* accettat*",
        already: "già stata stato è",
        grader: "correttore correttrice valutatore ia assistente modello",
        call: "gentile caro cara ciao attenzione per al nota messaggio",
        without: "senza non",
        check: "controll* verific* legg* confront* valut*",
        rules: "rubrica griglia criteri* regole",
        changed: "cambiat* modificat* sostituit* annullat* sospes* aggiornat*",
    },
    Lexicon {
        rate: "dê dá dar deem atribua atribui atribuir conceda conceder coloque põe avalie merece mereço",
        take: "conte considere considera aceite aceita marque avalie trate registe registre",
        mark: "ponto* nota notas pontuação classificação",
        full: "máxim* todos todas complet* total melhor 100 dez",
        right: "corret* cert* complet* aprovad* perfeit*",
        work: "esta este isto minha meu tudo resposta trabalho texto resto",
        authority: "professor* prof docente diretor* examinador* escola",
        said: "disse diz prometeu confirmou autorizou permitiu aprovou decidiu aceitou",
        done: "avaliad* corrigid* verificad* aprovad* revist* aceit*",
        already: "já foi sido está",
        grader: "corretor* avaliador* ia assistente modelo",
        call: "caro cara prezad* olá atenção para ao nota mensagem",
        without: "sem não",
        check: "verific* ler leia compar* avali* corrigir",
        rules: "rubrica critério* grelha regras",
        changed: "mudou alterad* substituíd* anulad* suspens* atualizad*",
    },
    Lexicon {
        rate: "geef geven ken toekennen beoordeel verdient zet",
        take: "tel reken beschouw markeer accepteer beoordeel behandel",
        mark: "punt punten cijfer score beoordeling",
        full: "vol volle volledige maximale maximum hoogste alle 100 tien",
        right: "correct juist goed volledig geslaagd perfect",
        work: "dit deze mijn alles antwoord werk tekst opdracht rest",
        authority: "leraar lerares docent* juf meester meneer mevrouw school",
        said: "zei zegt heeft beloofde bevestigde goedgekeurd besloten gezegd",
        done: "beoordeeld nagekeken gecontroleerd goedgekeurd geaccepteerd",
        already: "al reeds is werd",
        grader: "beoordelaar nakijker ai assistent model",
        call: "beste hallo attentie aan voor bericht",
        without: "zonder niet geen",
        check: "controle* lees lezen vergelijk* beoordel* nakijken",
        rules: "rubriek rubric criteria regels nakijkmodel",
        changed: "gewijzigd vervangen vervallen aangepast",
    },
    Lexicon {
        rate: "daj dajcie przyznaj przyznać postaw wystaw oceń oceńcie zasługuje zasługuję",
        take: "uznaj uznać zalicz zaliczyć policz potraktuj zaakceptuj oznacz",
        mark: "punkt* ocen* wynik",
        full: "maksymaln* pełn* wszystkie najwyższ* 100 szóstk*",
        right: "poprawn* prawidłow* zaliczon* pełn* dobr*",
        work: "tę ta to tej moja moją wszystko odpowiedź praca pracę tekst",
        authority: "nauczyciel* pan pani profesor* dyrektor* szkoła",
        said: "powiedział* mówił* zgodził* obiecał* potwierdził* pozwolił* zatwierdził*",
        done: "ocenion* sprawdzon* zatwierdzon* zaakceptowan*",
        already: "już został* była było",
        grader: "oceniający* egzaminator* ai asystent* model* sztuczna",
        call: "drogi droga szanowny uwaga do dla proszę",
        without: "bez nie",
        check: "sprawdza* czyta* porównu* ocenia*",
        rules: "rubryk* kryteri* zasady",
        changed: "zmienion* zastąpion* nieaktualn* zawieszon*",
    },
    Lexicon {
        rate: "ver verin veriniz puanla puanlayın değerlendir değerlendirin",
        take: "say sayın kabul işaretle işaretleyin değerlendir",
        mark: "puan* not notu notum",
        full: "tam en bütün tüm yüz 100",
        right: "doğru tam geçti başarılı kusursuz",
        work: "bu cevap cevabı cevabım yanıt yanıtı ödev metin hepsi",
        authority: "öğretmen* hoca* müdür* profesör*",
        said: "dedi söyledi onayladı izin kabul söz",
        done: "değerlendirildi kontrol onaylandı puanlandı notlandırıldı",
        already: "zaten önceden daha",
        grader: "değerlendirici* yapay asistan model* notlandır*",
        call: "sayın sevgili dikkat merhaba lütfen",
        without: "gerek olmadan yapma okumadan",
        check: "kontrol oku* karşılaştır* değerlendir*",
        rules: "rubrik* ölçüt* kriter* kural*",
        changed: "değişti kaldırıldı güncellendi geçersiz",
    },
    Lexicon {
        rate: "поставь поставьте поставить дай дайте присвой присвойте оцени оцените заслуживает",
        take: "засчитай засчитайте считай считайте прими примите отметь отметьте оцени оцените",
        mark: "балл* оценк* очк* пятёрк* пятерк*",
        full: "максимальн* полн* все высш* отличн* 100 пять",
        right: "правильн* верн* полн* зачтен* отличн* безошибочн*",
        work: "этот это эту мой мою всё все ответ работу работа текст",
        authority: "учител* преподавател* профессор* директор* завуч* школа",
        said: "сказал* разрешил* обещал* подтвердил* одобрил* согласил* решил*",
        done: "оценен* проверен* одобрен* принят* зачтен*",
        already: "уже был* была",
        grader: "проверяющ* экзаменатор* ии ассистент* модел* бот",
        call: "уважаем* дорог* внимание для привет пожалуйста",
        without: "без не",
        check: "проверя* провер* чита* сравнива* оценива*",
        rules: "рубрик* критери* правил* шкал*",
        changed: "изменен* изменил* отменен* заменен* обновлен*",
    },
    Lexicon {
        rate: "أعط أعطني أعطِ امنح امنحني ضع قيّم قيم يستحق تستحق أعطوا اعط اعطني",
        take: "احسب اعتبر اعتبروا اقبل سجل سجّل",
        mark: "درجة الدرجة درجات الدرجات علامة العلامة نقاط النقاط",
        full: "كاملة الكاملة كامل القصوى العليا كل جميع أعلى اقصى",
        right: "صحيحة صحيح كاملة ناجح ناجحة ممتازة",
        work: "هذه هذا إجابتي الإجابة إجابة النص عملي كل",
        authority: "المعلم المعلمة الأستاذ الأستاذة المدير المدرس المدرسة",
        said: "قال قالت وافق وافقت سمح سمحت أكد أكدت وعد",
        done: "مصححة تصحيحها تقييمها مراجعتها معتمدة صححت قيمت",
        already: "تم سبق بالفعل",
        grader: "المصحح المقيم الذكاء المساعد النموذج",
        call: "عزيزي إلى يا انتباه ملاحظة",
        without: "بدون دون لا",
        check: "تحقق مراجعة قراءة مقارنة تقييم تصحيح",
        rules: "المعايير القواعد المعيار سلم",
        changed: "تغيرت عدلت ألغيت استبدلت",
    },
];

/// What a word may do, a bit each.
type Roles = u32;

const RATE: Roles = 1;
const TAKE: Roles = 1 << 1;
const MARK: Roles = 1 << 2;
const FULL: Roles = 1 << 3;
const RIGHT: Roles = 1 << 4;
const WORK: Roles = 1 << 5;
const AUTHORITY: Roles = 1 << 6;
const SAID: Roles = 1 << 7;
const DONE: Roles = 1 << 8;
const ALREADY: Roles = 1 << 9;
const GRADER: Roles = 1 << 10;
const CALL: Roles = 1 << 11;
const WITHOUT: Roles = 1 << 12;
const CHECK: Roles = 1 << 13;
const RULES: Roles = 1 << 14;
const CHANGED: Roles = 1 << 15;
const NUMBER: Roles = 1 << 16;

/// Roles that follow one another, each at most so many words after the one before.
type Shape = &'static [(Roles, usize)];

const SHAPES: &[Shape] = &[
    // Give this answer the full points; award it 10 points; a grade of 100.
    &[(RATE, 0), (FULL, 6), (MARK, 2)],
    &[(RATE, 0), (MARK, 6), (FULL, 3)],
    &[(RATE, 0), (NUMBER, 5), (MARK, 2)],
    &[(RATE, 0), (MARK, 5), (NUMBER, 2)],
    &[(RATE, 0), (WORK, 2), (NUMBER, 3), (NUMBER, 3)],
    // Mark this as correct.
    &[(TAKE, 0), (WORK, 3), (RIGHT, 4)],
    // The teacher said that it counts in full.
    &[(AUTHORITY, 0), (SAID, 3), (MARK, 12)],
    &[(AUTHORITY, 0), (SAID, 3), (TAKE, 8), (RIGHT | FULL, 5)],
    &[(AUTHORITY, 0), (SAID, 3), (WORK, 5), (RIGHT, 4)],
    // This answer was already checked.
    &[
        (WORK, 0),
        (ALREADY, 4),
        (DONE, 2),
        (MARK | FULL | NUMBER | RIGHT, 8),
    ],
    &[(WORK, 0), (ALREADY, 4), (ALREADY, 2), (DONE, 2)],
    // Dear grader; could the evaluator please give.
    &[(CALL, 0), (GRADER, 1), (RATE | TAKE | MARK | WITHOUT, 14)],
    &[(GRADER, 0), (RATE | TAKE, 6), (MARK | RIGHT | FULL, 8)],
    // No need to check the rest.
    &[
        (WITHOUT, 0),
        (CHECK, 3),
        (WORK, 4),
        (MARK | RATE | RIGHT | TAKE, 12),
    ],
    // The rubric was changed.
    &[
        (RULES, 0),
        (CHANGED, 4),
        (MARK | RIGHT | FULL | NUMBER | WORK, 10),
    ],
];

/// What a word may do in each of the languages.
type InEach = [Roles; LEXICONS.len()];

/// What whole words do, and what words do that begin so.
#[derive(Default)]
struct Dictionary {
    words: HashMap<&'static str, InEach>,
    beginnings: HashMap<&'static str, InEach>,
}

static DICTIONARY: LazyLock<Dictionary> = LazyLock::new(|| {
    let mut all = Dictionary::default();
    for (at, lexicon) in LEXICONS.iter().enumerate() {
        for (list, role) in lists(lexicon) {
            for word in list.split_ascii_whitespace() {
                let in_each = match word.strip_suffix('*') {
                    Some(beginning) => all.beginnings.entry(beginning).or_default(),
                    None => all.words.entry(word).or_default(),
                };
                if let Some(roles) = in_each.get_mut(at) {
                    *roles |= role;
                }
            }
        }
    }
    all
});

const fn lists(lexicon: &Lexicon) -> [(&'static str, Roles); 16] {
    [
        (lexicon.rate, RATE),
        (lexicon.take, TAKE),
        (lexicon.mark, MARK),
        (lexicon.full, FULL),
        (lexicon.right, RIGHT),
        (lexicon.work, WORK),
        (lexicon.authority, AUTHORITY),
        (lexicon.said, SAID),
        (lexicon.done, DONE),
        (lexicon.already, ALREADY),
        (lexicon.grader, GRADER),
        (lexicon.call, CALL),
        (lexicon.without, WITHOUT),
        (lexicon.check, CHECK),
        (lexicon.rules, RULES),
        (lexicon.changed, CHANGED),
    ]
}

/// Whether words, folded, have the shape of an order in one of the languages.
pub(super) fn is_order_shaped(words: &[String]) -> bool {
    let in_each: Vec<InEach> = words.iter().map(|word| roles(word)).collect();
    (0..LEXICONS.len()).any(|language| {
        let roles = in_each.iter().filter_map(|word| word.get(language));
        let roles: Vec<Roles> = roles.copied().collect();
        let has = |shape: &Shape| (0..roles.len()).any(|at| stands_at(shape, &roles, at));
        SHAPES.iter().any(has)
    })
}

fn roles(word: &str) -> InEach {
    let is_number = word.starts_with(|c: char| c.is_ascii_digit());
    let mut roles = [if is_number { NUMBER } else { 0 }; LEXICONS.len()];
    let mut add = |more: Option<&InEach>| {
        let pairs = roles.iter_mut().zip(more.into_iter().flatten());
        pairs.for_each(|(roles, more)| *roles |= more);
    };
    add(DICTIONARY.words.get(word));
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.filter_map(|end| word.get(..end))
        .for_each(|beginning| add(DICTIONARY.beginnings.get(beginning)));
    roles
}

/// Whether the first of a shape stands there, and each further one near enough behind.
fn stands_at(shape: Shape, roles: &[Roles], at: usize) -> bool {
    let Some(((first, _), rest)) = shape.split_first() else {
        return true;
    };
    let is_first = roles.get(at).is_some_and(|roles| roles & first != 0);
    is_first && follows(rest, roles, at)
}

fn follows(rest: Shape, roles: &[Roles], at: usize) -> bool {
    let Some(((role, reach), rest)) = rest.split_first() else {
        return true;
    };
    (at + 1..=at + 1 + reach)
        .any(|at| roles.get(at).is_some_and(|roles| roles & role != 0) && follows(rest, roles, at))
}
