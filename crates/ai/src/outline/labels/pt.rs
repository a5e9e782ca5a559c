//! Portuguese: what outlines are labelled with. Fixed words only.

use super::Labels;

pub(super) const LABELS: Labels = Labels {
    tag: "pt",
    objective: "Objetivo",
    key_points: "Pontos-chave",
    think_about: "Para pensar",
    built_in_mark: "Esboço feito pelo motor integrado a partir da descrição do curso, não por um modelo de linguagem. Acrescente explicações e exemplos antes de publicar.",
    quiz: "Questionário: {topic}",
    flashcards: "Cartões: {topic}",
    reflection: "Reflexão: {topic}",
    assignment: "Tarefa: {topic}",
    prompts: [
        "Que situação da sua experiência mostra {topic}?",
        "O que costuma correr mal com {topic}, e por quê?",
        "Como explicaria {topic} a alguém novo?",
    ],
    objectives: [
        "Explicar {topic} por palavras próprias",
        "Aplicar {topic} a uma situação própria",
        "Analisar o que importa em {topic} e por quê",
        "Avaliar um exemplo de {topic} e dar razões",
    ],
    open_points: [
        "O que {topic} significa no curso {course}",
        "Um exemplo de {topic}: a acrescentar pelo docente",
        "Como {topic} se liga às outras partes de {course}",
    ],
    stages: [
        "{topic}: o básico",
        "{topic}: passo a passo",
        "{topic}: na prática",
        "{topic}: decisões e erros",
    ],
    fill_blank: "Preencha a lacuna",
    true_or_false: "Verdadeiro ou falso?",
    which_completes: "Que opção completa a frase como está na lição?",
    which_belongs: "Qual destes temas pertence à unidade {unit}?",
    as_lesson_says: "A lição diz: {sentence}",
    summary: "{course} nestas partes: {units}.",
    unit_description: "Esta unidade trata de {topics}.",
    lesson_summary: "Um esboço de {topic}.",
    task: "Descreva uma situação real ou realista sobre {topics}. Diga o que acontece, o que decide e faz, e por quê. Use o que aprendeu nas lições, dê razões e indique uma coisa que mudaria para que da próxima vez corra melhor. Bastam 150 a 300 palavras; ortografia e gramática não contam.",
    criteria: [
        ("Compreensão", "Usa corretamente as ideias das lições."),
        (
            "Aplicação",
            "Aplica-as a uma situação concreta e diz o que é feito.",
        ),
        (
            "Razões",
            "Dá razões e indica uma mudança para a próxima vez.",
        ),
    ],
    levels: [
        ("Excelente", "Completo e correto, por palavras próprias."),
        ("Bom", "Quase completo; uma parte falta ou só é sugerida."),
        ("Parcial", "Uma ideia útil, sem o resto."),
        (
            "Em falta",
            "Nada sobre isso, ou o contrário do que foi ensinado.",
        ),
    ],
    assumptions: [
        "A descrição indica poucos temas; as unidades seguem as suas palavras. Convém rever a ordem.",
        "Os tempos foram divididos por igual; convém ajustá-los ao grupo.",
    ],
    and: "e",
    open_quote: "“",
    close_quote: "”",
};
