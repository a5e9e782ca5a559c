// Words of the page of members.
export default {
  members: {
    sessions: "Sitzungen", sessions_title: "Wo {name} angemeldet ist", sessions_what: "Von denen, die auch anderswo hingehören, erfährt dieser Arbeitsbereich nichts. Alle beenden schließt jede Sitzung aus, die bis jetzt begann, und die, die Ihre Programme ausgegeben haben; nach neuer Anmeldung geht es weiter.", sessions_none: "Keine Sitzung, von der dieser Arbeitsbereich weiß.", sessions_end: "Beenden", sessions_end_all: "Alle beenden", sessions_ended: "Alle Sitzungen von {name} sind hier beendet.", session_ended: "Beendet.",
    lede: "Wer hierher gehört. Was jeder tut, steht überall unter seinem Namen.", role: "Rolle", since: "Seit", until: "Bis", none_title: "Noch niemand", none: "Laden Sie jemanden ein.",
    invite: "Jemanden einladen", address_mailed: "Dorthin geht eine E-Mail mit einem Link zum Hereinkommen.", address_shown: "Dieser Dienst verschickt keine E-Mail: Sie bekommen einen Link zum Weitergeben.",
    sent: "Eine Einladung ist unterwegs an {email}.", link_title: "Die Einladung für {name}", link_what: "Bitte selbst weitergeben: Er lässt ein, wer ihn öffnet, einmal, als dieses Mitglied, sieben Tage lang. Er wird nur jetzt gezeigt.",
    invited: "Eingeladen, noch nicht hier", invited_what: "Ein Link gilt sieben Tage, einmal. Wer durch Sitzungen Ihrer eigenen Programme hier ist, muss nichts annehmen.", nobody_invited_title: "Niemand wartet", nobody_invited: "Alle Eingeladenen sind da.",
    state_not_sent: "Keine Einladung verschickt", state_pending: "Wartet", state_expired: "Abgelaufen", state_accepted: "Angenommen",
    mail_pending: "E-Mail unterwegs", mail_sent: "E-Mail verschickt", mail_failed: "E-Mail kam nicht an", mail_dropped: "nicht verschickt",
    send: "Einladung senden", link: "Link anlegen", withdraw: "Zurücknehmen",
    change_role: "Rolle ändern", role_title: "Was {name} hier darf", role_hint: "Inhaber und Admins führen den Arbeitsbereich; Lehrkräfte kümmern sich um Kurse, Teilnehmer und Noten; Teilnehmer lernen.", change: "Ändern", role_changed: "{name} ist jetzt {role}.",
    take_out: "Herausnehmen", take_out_title: "{name} herausnehmen?", take_out_what: "Mit dem nächsten Klick ist der Zugang zu Ende, ebenso Sitzungen und Schlüssel, die hier angelegt wurden. Was getan wurde, bleibt, und eine Weile lässt es sich aus dem Papierkorb zurückholen.", taken_out: "{name} ist nicht mehr dabei.",
    keys: "Schlüssel", key: "Schlüssel anlegen", key_title: "Ein Schlüssel für {name}", key_what: "Was damit getan wird, geschieht als {name}. Er ist dort unter den eigenen Schlüsseln zu sehen und zu beenden.",
    services: "Dienstkonten", service_what: "Ein Programm handelt unter eigenem Namen und unter keinem anderen. Es meldet sich nie an; geben Sie ihm einen Schlüssel.", service_new: "Neues Dienstkonto", service_make: "Anlegen", service_made: "{name} ist da. Legen Sie einen Schlüssel dafür an.", no_service_title: "Noch kein Programm", no_service: "Programme, die hier unter eigenem Namen handeln, stehen hier.",
    every_role: "Alle Rollen", suspended: "Gesperrt", erased: "Gelöscht", rename: "Namen ändern", rename_title: "Wie {name} heißt", rename_hint: "Der Name steht überall, auch bei dem, was vorher getan wurde.", renamed: "Es ist jetzt {name}.", happened: "Was damit geschah", acted: "Was getan wurde", export: "Daten herausgeben", erase: "Daten löschen", more_for: "Mehr zu {name}", receipt: "Beleg",
    taken_out_all: "Herausgenommene Mitglieder",
  },
};
