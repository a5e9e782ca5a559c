// Words of what something was before.
export default {
  versions: {
    title: "Verlauf", lede: "Was es war, bevor es geändert wurde. Was eine Person innerhalb von zehn Minuten speichert, ist eine Änderung.",
    list: "Fassungen", version: "Fassung {number}", there_now: "Was jetzt da ist", you: "Sie", somebody: "Jemand", older: "Ältere werden nicht gezeigt.",
    differences: "Was anders ist", shown: "Fassung {number} wird gezeigt.", since: "seitdem dazugekommen", gone: "seitdem weggefallen", then: "Damals", now: "Jetzt",
    same: "Sie sagt dasselbe wie das, was jetzt da ist.", unseen: "Sie unterscheidet sich in etwas, das niemand liest, etwa Kennungen.",
    restore: "Wiederherstellen", restore_what: "Es wird wieder, was es damals war. Was jetzt da ist, bleibt auch als Fassung erhalten.",
    restored: "Fassung {number} ist wieder da.",
    none_title: "Noch wurde nichts geändert", none: "Sobald es geändert wird, steht hier, was es vorher war.", yes: "ja", no: "nein",
    field_name: "Name", field_summary: "Zusammenfassung", field_objectives: "Lernziele", field_duration_minutes: "Minuten", field_language: "Sprache",
    field_content: "Text", field_activities_content: "Inhalt", field_instructions: "Aufgabenstellung", field_max_score: "Punkte", field_max_attempts: "Versuche", field_rubric: "Bewertungsraster",
    field_late_policy: "Verspätung", field_ai_evaluator: "KI bewertet", field_human_review: "Wer entscheidet", field_release: "Freigabe der Noten", field_feedback: "Rückmeldung",
    member_options: "Möglichkeiten", member_blanks: "Lücken", member_pairs: "Paare", member_items: "Einträge", member_turns: "Beiträge", member_audio: "Aufnahme",
    member_criteria: "Kriterien", member_description: "Beschreibung", member_max_points: "Höchstpunkte", member_weight: "Gewicht", member_levels: "Stufen", member_name: "Name",
    member_tone: "Ton", member_verbosity: "Länge", member_enabled: "Eingeschaltet", member_model: "Modell",
    member_percent_per_day: "Abzug je Tag in Prozent", member_floor_percent: "Nicht unter Prozent", member_grace_minutes: "Minuten Nachfrist",
  },
};
