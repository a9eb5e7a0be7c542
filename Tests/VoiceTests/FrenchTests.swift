import Testing

@testable import Voice

@Suite struct FrenchTests {
    static let home = RomanceFixtures.home([
        "l1": "Lampadaire",
        "l2": "Lampe de lecture",
        "k1": "Plan de travail",
        "b1": "Lampe de chevet",
        "h1": "Plafonnier du couloir",
        "f1": "Ventilateur de plafond",
        "c1": "Cafetière",
        "d1": "Porte d'entrée",
        "d2": "Porte de derrière",
        "g1": "Porte de garage",
        "t1": "Thermostat",
        "s1": "Volet roulant",
        "s2": "Rideau de la chambre",
        "w1": "Fenêtre de la chambre",
        "v1": "Vanne du jardin",
        "o1": "Détecteur de mouvement",
        "living": "Salon",
        "kitchen": "Cuisine",
        "bedroom": "Chambre",
        "hall": "Couloir",
        "garage": "Garage",
        "garden": "Jardin",
        "up": "Étage",
        "down": "Rez-de-chaussée",
        "night": "Bonne nuit",
        "movie": "Soirée cinéma",
    ])

    @Test(arguments: [
        ("éteins la lumière", ["l1 On 0", "l2 On 0"]),
        ("tu peux éteindre les lampes de la cuisine s'il te plaît", ["k1 On 0"]),
        ("Pourriez-vous allumer le plafonnier du couloir ?", ["h1 On 1"]),
        ("j'aimerais que tu allumes la cuisine", ["k1 On 1"]),
        ("allume-la dans la chambre", ["b1 On 1"]),
        ("mets le lampadaire à trente pour cent", ["l1 Brightness 30"]),
        ("règle le lampadaire sur soixante-quinze pourcent", ["l1 Brightness 75"]),
        ("mets la lampe de lecture à quatre-vingt-dix-huit %", ["l2 Brightness 98", "l2 On 1"]),
        ("lampadaire à nonante-deux pour cent", ["l1 Brightness 92"]),
        ("lampadaire à septante pour cent", ["l1 Brightness 70"]),
        ("mets le lampadaire à fond", ["l1 Brightness 100"]),
        ("baisse le lampadaire au minimum", ["l1 Brightness 1"]),
        ("tamise un peu la lumière de la chambre", ["b1 Brightness 40"]),
        ("le lampadaire en vert foncé", ["l1 Hue 120", "l1 Saturation 100"]),
        ("mets la lampe de chevet en blanc chaud", ["b1 ColorTemperature 370"]),
        ("lampe de chevet à 2700 kelvins", ["b1 ColorTemperature 370"]),
        ("lampe de chevet à deux mille sept cents kelvins", ["b1 ColorTemperature 370"]),
        ("plus de lumière dans la chambre", ["b1 Brightness 75"]),
        ("un peu moins fort la lampe de chevet", ["b1 Brightness 40"]),
        ("augmente la luminosité du lampadaire de 20 %", ["l1 Brightness 70"]),
        ("diminue le lampadaire de moitié", ["l1 Brightness 50"]),
        ("mets le chauffage à vingt et un degrés", ["t1 TargetTemperature 21"]),
        ("règle le thermostat sur 19,5", ["t1 TargetTemperature 19.5"]),
        ("monte le chauffage de deux degrés", ["t1 TargetTemperature 22"]),
        ("baisse le chauffage de 1 degré", ["t1 TargetTemperature 19"]),
        ("mets vingt degrés et demi dans le salon", ["t1 TargetTemperature 20.5"]),
        ("il fait trop froid ici", ["t1 TargetTemperature 21"]),
        ("j'ai froid", ["t1 TargetTemperature 21"]),
        ("il fait trop chaud", ["t1 TargetTemperature 19"]),
        ("il fait sombre ici", ["l1 On 1", "l2 On 1"]),
        ("on n'y voit rien", ["l1 On 1", "l2 On 1"]),
        ("fais-nous de la lumière", ["l1 On 1", "l2 On 1"]),
        ("c'est trop lumineux dans la chambre", ["b1 Brightness 25"]),
        ("descends le volet roulant", ["s1 TargetPosition 0"]),
        ("ferme le volet à moitié", ["s1 TargetPosition 50"]),
        ("ouvre le volet du salon aux trois quarts", ["s1 TargetPosition 75"]),
        ("fermez tous les volets et les rideaux", ["s1 TargetPosition 0", "s2 TargetPosition 0"]),
        ("ouvre le rideau de la chambre", ["s2 TargetPosition 100"]),
        ("verrouille la porte d'entrée", ["d1 LockTargetState 1"]),
        ("ferme la porte d'entrée à clé", ["d1 LockTargetState 1"]),
        ("déverrouille la porte de derrière", ["d2 LockTargetState 0"]),
        ("verrouille toutes les portes", ["d1 LockTargetState 1", "d2 LockTargetState 1"]),
        ("ouvre le garage", ["g1 TargetDoorState 0"]),
        ("ferme la porte du garage", ["g1 TargetDoorState 1"]),
        ("allume le ventilateur", ["f1 Active 1"]),
        ("mets le ventilateur de plafond à vitesse maximale", ["f1 Active 1", "f1 RotationSpeed 100"]),
        ("ventilateur moins vite", ["f1 RotationSpeed 15"]),
        ("démarre la cafetière", ["c1 On 1"]),
        ("coupe l'arrosage", ["v1 Active 0"]),
        ("ouvre la vanne du jardin", ["v1 Active 1"]),
        ("éteins toutes les lumières sauf celles du salon", ["b1 On 0", "h1 On 0", "k1 On 0"]),
        ("éteins toutes les lumières sauf dans la chambre", ["h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]),
        ("éteins le lampadaire et ferme le volet", ["l1 On 0", "s1 TargetPosition 0"]),
        ("allume le plafonnier puis mets-le à 20 %", ["h1 Brightness 20", "h1 On 1"]),
        ("allume le lampadaire et mets-le à 20 %", ["l1 Brightness 20"]),
        ("éteins la lumière de la cuisine et du couloir", ["h1 On 0", "k1 On 0"]),
        ("allume la lumière à l'étage", ["b1 On 1"]),
        ("éteins tout au rez-de-chaussée", ["c1 On 0", "h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]),
        ("ouvre la lumière de la cuisine", ["k1 On 1"]),
        ("ferme les lumières", ["l1 On 0", "l2 On 0"]),
        ("barre la porte de derrière s'il te plaît", ["d2 LockTargetState 1"]),
        ("assure-toi que la porte d'entrée est verrouillée", ["d1 LockTargetState 1"]),
        ("veuillez éteindre la lampe de chevet", ["b1 On 0"]),
        ("il faudrait que le volet soit fermé", ["s1 TargetPosition 0"]),
        ("n'oublie pas d'éteindre la lampe de chevet", ["b1 On 0"]),
        ("allume toutes les lumières de la maison", ["b1 On 1", "h1 On 1", "k1 On 1", "l1 On 1", "l2 On 1"]),
        ("ouvre à fond les volets", ["s1 TargetPosition 100"]),
        ("mets la température à 18 dans le séjour", ["t1 TargetTemperature 18"]),
        ("augmente la température", ["t1 TargetTemperature 21"]),
        (
            "passe la lumière du salon en bleu",
            ["l1 Hue 240", "l1 Saturation 100", "l2 Hue 240", "l2 On 1", "l2 Saturation 100"]
        ),
        ("je veux une lumière douce dans la chambre", ["b1 ColorTemperature 340"]),
        ("stoppe le ventilateur", ["f1 Active 0"]),
        ("éteindre toutes les lampes", ["b1 On 0", "h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]),
        ("baisse les stores", ["s1 TargetPosition 0"]),
        ("monte un peu le volet", ["s1 TargetPosition 100"]),
        ("allume les lampes de la chambre et de la cuisine", ["b1 On 1", "k1 On 1"]),
        ("mets la lampe de chevet en mauve à 40 %", ["b1 Brightness 40", "b1 Hue 285", "b1 Saturation 40"]),
        ("on crève de chaud", ["t1 TargetTemperature 19"]),
        ("mets un peu plus chaud", ["t1 TargetTemperature 20.5"]),
        ("coupe tout", ["b1 On 0", "c1 On 0", "f1 Active 0", "h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]),
        ("éteins toute la maison", ["b1 On 0", "h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]),
        (
            "éteins tous les appareils",
            ["b1 On 0", "c1 On 0", "f1 Active 0", "h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]
        ),
        ("inverse la lampe de chevet", ["b1 On 0"]),
        ("peux-tu fermer les volets quand tu peux stp", ["s1 TargetPosition 0"]),
        ("vous pouvez éteindre le salon ?", ["l1 On 0", "l2 On 0"]),
        ("allume la cuisne", ["k1 On 1"]),
        ("allume le lampadère", ["l1 On 1"]),
        ("remonte le thermostat de 2", ["t1 TargetTemperature 22"]),
        ("allume les lumières du bas", ["h1 On 1", "k1 On 1", "l1 On 1", "l2 On 1"]),
        ("ferme tout", ["s1 TargetPosition 0", "s2 TargetPosition 0"]),
        ("éteins toutes les lumières encore allumées", ["b1 On 0", "l1 On 0"]),
        ("faut éteindre la lumière de la cuisine", ["k1 On 0"]),
        ("descends le volet jusqu'en bas", ["s1 TargetPosition 0"]),
        ("verrouille la maison", ["d1 LockTargetState 1", "d2 LockTargetState 1"]),
        ("la lumière est trop forte dans la chambre", ["b1 Brightness 25"]),
        ("la chambre est trop sombre", ["b1 On 1"]),
        ("monte le thermostat d'un degré", ["t1 TargetTemperature 21"]),
    ])
    func aCommandWritesWhatItSays(sentence: String, writes: [String]) throws {
        #expect(try RomanceFixtures.writes(sentence, "fr", Self.home) == writes)
    }

    @Test(arguments: [
        ("éteins le lampadaire dans dix minutes", "l1 On 0", SpokenTime.after(seconds: 600)),
        ("dans une demi-heure éteins le lampadaire", "l1 On 0", .after(seconds: 1800)),
        ("éteins le lampadaire dans une heure et demie", "l1 On 0", .after(seconds: 5400)),
        ("éteins le lampadaire dans trois quarts d'heure", "l1 On 0", .after(seconds: 2700)),
        ("éteins le lampadaire à sept heures du soir", "l1 On 0", .at(hour: 19, minute: 0)),
        ("éteins le lampadaire à huit heures moins le quart", "l1 On 0", .at(hour: 7, minute: 45)),
        ("éteins le lampadaire à 22h30", "l1 On 0", .at(hour: 22, minute: 30)),
        ("éteins le lampadaire à vingt-deux heures trente", "l1 On 0", .at(hour: 22, minute: 30)),
        ("à midi et demi éteins le lampadaire", "l1 On 0", .at(hour: 12, minute: 30)),
        ("éteins le lampadaire à minuit", "l1 On 0", .at(hour: 0, minute: 0)),
        ("à six heures et quart allume la lampe de lecture", "l2 On 1", .at(hour: 6, minute: 15)),
        ("allume le lampadaire à 20 heures", "l1 On 1", .at(hour: 20, minute: 0)),
        ("ce soir à huit heures éteins le lampadaire", "l1 On 0", .at(hour: 20, minute: 0)),
        ("à neuf heures moins dix ferme le volet", "s1 TargetPosition 0", .at(hour: 8, minute: 50)),
        ("éteins le lampadaire à une heure du matin", "l1 On 0", .at(hour: 1, minute: 0)),
        ("dans deux heures et quart éteins la cafetière", "c1 On 0", .after(seconds: 8100)),
        ("éteins la lampe de chevet à une heure et demie de l'après-midi", "b1 On 0", .at(hour: 13, minute: 30)),
        ("éteins la lampe de chevet après vingt minutes", "b1 On 0", .after(seconds: 1200)),
    ])
    func aTimePutsACommandOff(sentence: String, write: String, time: SpokenTime) throws {
        let interpretation = try RomanceFixtures.interpret(sentence, "fr", Self.home)
        guard case .requests(let requests) = interpretation, case .write(let writes, let found, _) = requests.first
        else {
            Issue.record("nothing was understood")
            return
        }
        #expect(requests.count == 1)
        #expect(writes.map(RomanceFixtures.text) == [write])
        #expect(found == time)
    }

    @Test(arguments: [
        ("lance la scène bonne nuit", "night"), ("bonne nuit", "night"), ("active soirée cinéma", "movie"),
        ("mets l'ambiance soirée cinéma", "movie"),
    ])
    func aScenesNameRunsIt(sentence: String, scene: String) throws {
        let interpretation = try RomanceFixtures.interpret(sentence, "fr", Self.home)
        #expect(interpretation == .requests([.run(scenes: [scene], at: nil)]))
    }

    @Test(arguments: [
        ("la porte d'entrée est-elle verrouillée ?", ["d1"], SpokenAnswer?.some(.yesNo(true))),
        ("est-ce que la porte du garage est ouverte ?", ["g1"], .yesNo(false)),
        ("quelles lumières sont allumées ?", ["b1", "h1", "k1", "l1", "l2"], .services(["l1", "b1"])),
        ("combien de lampes sont éteintes", ["b1", "h1", "k1", "l1", "l2"], .count(3)),
        ("y a-t-il des lumières éteintes ?", ["b1", "h1", "k1", "l1", "l2"], .yesNo(true)),
        ("est-ce que j'ai laissé la fenêtre de la chambre ouverte ?", ["w1"], .yesNo(true)),
        ("est-ce que toutes les portes sont verrouillées", ["d1", "d2"], .yesNo(false)),
        ("il y a du mouvement dans le couloir ?", ["o1"], .yesNo(true)),
        ("donne-moi la température du salon", ["t1"], nil),
        ("il fait combien au salon ?", ["t1"], nil),
        ("il fait froid dans le salon ?", ["t1"], nil),
        ("quelle température fait-il", ["t1"], nil),
        ("dis-moi si le lampadaire est allumé", ["l1"], .yesNo(true)),
        ("quelle est la luminosité du lampadaire ?", ["l1"], nil),
        ("est-ce que le chauffage est allumé", ["t1"], .yesNo(true)),
        ("le détecteur de mouvement est-il déclenché", ["o1"], .yesNo(true)),
        ("est-ce que la lumière de la chambre est éteinte ?", ["b1"], .yesNo(false)),
        ("quelles portes sont ouvertes", ["d1", "d2"], .services(["d2"])),
        ("est-ce que quelqu'un est dans le couloir", ["o1"], .yesNo(true)),
        ("quelle est la température de consigne", ["t1"], nil),
        ("quel est l'état de la porte du garage", ["g1"], nil),
        ("la porte d'entrée est fermée à clé ?", ["d1"], .yesNo(true)),
        ("qu'est-ce qui est allumé", ["b1", "h1", "k1", "l1", "l2"], .services(["l1", "b1"])),
    ])
    func aQuestionReadsAndAnswers(sentence: String, services: [String], answer: SpokenAnswer?) throws {
        let interpretation = try RomanceFixtures.interpret(sentence, "fr", Self.home)
        guard case .requests(let requests) = interpretation, case .read(let reads, let found) = requests.first else {
            Issue.record("no question was understood")
            return
        }
        #expect(reads.map(\.service).sorted() == services)
        #expect(found == answer)
    }

    @Test(arguments: [
        "déverrouille la porte de derrière",
        "ouvre la porte d'entrée",
        "ouvre le garage",
        "ouvre la vanne du jardin",
    ])
    func openingAndUnlockingAsksForAConfirmation(sentence: String) throws {
        let interpretation = try RomanceFixtures.interpret(sentence, "fr", Self.home)
        guard case .requests(let requests) = interpretation, case .write(_, _, let confirmation) = requests.first else {
            Issue.record("nothing was understood")
            return
        }
        #expect(confirmation == .opens)
    }

    @Test(arguments: [
        "déverrouille la porte d'antrée",
        "déverouille la porte d'entré",
        "ouvre la port de garge",
        "ouvre la vane du jardin",
        "ouvre la porte d'entrée à clé",
    ])
    func aSpellingMistakeNeverReachesALockADoorOrAValve(sentence: String) throws {
        #expect(try RomanceFixtures.writes(sentence, "fr", Self.home) == nil)
    }

    @Test(arguments: [
        "quel temps fait-il demain",
        "va-t-il pleuvoir ce soir",
        "est-ce qu'il fait beau à Paris",
        "quelle heure est-il",
        "mets un réveil à sept heures",
        "mets une alarme à sept heures",
        "règle une alarme pour demain matin à six heures",
        "mets un minuteur de dix minutes",
        "rappelle-moi d'éteindre le four",
        "rappelle-moi de fermer la porte d'entrée à clé",
        "ajoute du lait à la liste de courses",
        "joue du jazz",
        "mets de la musique",
        "mets la chanson suivante",
        "monte le son de la radio",
        "raconte-moi une blague",
        "la lampe du film était magnifique",
        "la porte d'entrée de l'immeuble est rouge",
        "j'ai allumé un feu dans la cheminée",
        "qui est le président de la République",
        "quelle est la capitale de l'Espagne",
        "combien font douze fois douze",
        "envoie un message à Julie",
        "appelle maman",
        "lis mes messages",
        "as-tu dormi",
        "comment ça va",
        "merci beaucoup",
        "bonjour",
        "tu es génial",
        "quel film passe au cinéma ce soir",
        "trouve un restaurant ouvert près d'ici",
        "à quelle heure ferme la pharmacie",
        "les magasins sont-ils ouverts dimanche",
        "quel est le trafic pour aller au travail",
        "le prochain train pour Lyon",
        "ouvre mes courriels",
        "ouvre la porte à la discussion",
        "ferme les yeux",
        "ferme la fenêtre du navigateur",
        "ouvre une nouvelle fenêtre dans le navigateur",
        "mets la table",
        "mets le couvert dans la cuisine",
        "fais la cuisine",
        "range ta chambre",
        "le salon de l'auto ouvre demain",
        "mon bureau est fermé le lundi",
        "n'allume pas la lumière",
        "ne ferme surtout pas les volets",
        "si je sors, éteins les lumières",
        "quand il pleut ferme les volets",
        "allume les lumières pendant dix minutes",
        "éteins les lumières tous les soirs",
        "traduis lumière en anglais",
        "que veut dire le mot lampe",
        "où est la lampe de poche",
        "je regarde la lumière du soleil",
        "la lumière au bout du tunnel",
        "prends une photo",
        "lance un dé",
        "lance le minuteur",
        "quoi de neuf",
        "donne-moi une recette de gâteau au chocolat",
        "comment allumer un barbecue",
        "pourquoi la lumière est-elle plus rapide que le son",
        "la cuisine italienne est délicieuse",
        "j'ai acheté des rideaux rouges",
        "il a éteint la télévision chez lui",
        "allume",
        "éteins",
        "ouvre-la",
        "le",
        "est-ce que le volet est ouvert à moitié",
        "verrouille la porte du garage",
        "passe le thermostat de 20 à 22",
        "la lampe de chevet est-elle réglée sur 20 %",
        "est-ce que la lumière est à cinquante pour cent",
        "est-ce que le lampadaire est rouge",
        "si le salon est vide éteins les lumières",
        "si la porte est ouverte allume la lumière",
    ])
    func whatIsNoCommandDoesNothing(sentence: String) throws {
        #expect(try RomanceFixtures.writes(sentence, "fr", Self.home) == nil)
    }
}
