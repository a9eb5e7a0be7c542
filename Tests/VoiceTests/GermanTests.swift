import Testing

@testable import Voice

@Suite struct GermanTests {
    @Test(arguments: [
        ("Schalte bitte das Küchenlicht ein", ["k1 On 1"]),
        ("mach das Licht im Wohnzimmer an", ["l1 On 1"]),
        ("kannst du das Schlafzimmerlicht ausmachen", ["b1 On 0"]),
        ("Wohnzimmerlampen ausschalten", ["l1 On 0"]),
        ("stell die Stehlampe auf fünfundzwanzig Prozent", ["l1 Brightness 25", "l1 On 1"]),
        ("Fahr das Rollo links herunter", ["s1 TargetPosition 0"]),
        ("das Licht oben aus", ["b1 On 0"]),
        ("mach die Nachttischlampe etwas heller", ["b1 Brightness 60"]),
        ("es ist zu dunkel", ["l1 On 1"]),
        ("alle Lichter außer im Schlafzimmer ausschalten", ["k1 On 0", "l1 On 0"]),
        ("Heizung um zwei Grad höher", ["t1 TargetTemperature 22"]),
        ("Küche und Schlafzimmer Licht aus", ["b1 On 0", "k1 On 0"]),
        ("schließ die Haustür auf", ["d1 LockTargetState 0"]),
        ("schließ alles ab", ["d1 LockTargetState 1"]),
        ("es soll hier 22 Grad warm sein", ["t1 TargetTemperature 22"]),
        ("anderthalb Grad wärmer", ["t1 TargetTemperature 21.5"]),
        ("im Schlafzimmer alles aus", ["b1 On 0", "f1 Active 0"]),
    ])
    func compoundsEndingsAndSeparableVerbsAreUnderstood(sentence: String, writes: [String]) throws {
        #expect(try Fixtures.writes(sentence, "de") == writes)
    }

    @Test(arguments: [
        "läuft der Deckenventilator", "brennt in der Küche noch Licht", "steht die Haustür offen",
        "sind die Rollläden unten", "habe ich die Stehlampe ausgemacht",
    ])
    func aQuestionThatBeginsWithAVerbChangesNothing(sentence: String) throws {
        #expect(try Fixtures.writes(sentence, "de")?.isEmpty != false)
    }

    @Test func aTimeIsSaidInTheGermanWay() throws {
        for (sentence, hour, minute) in [
            ("schalte die Stehlampe um halb acht aus", 7, 30), ("um 19 Uhr 15 Stehlampe aus", 19, 15),
            ("Stehlampe um Viertel vor neun abends ausschalten", 20, 45),
        ] {
            #expect(
                try Fixtures.listener("de").interpret(sentence)
                    == .requests([
                        .write(
                            [SpokenWrite(service: "l1", trait: .on, value: 0)],
                            at: .at(hour: hour, minute: minute),
                            confirmation: nil
                        )
                    ]),
                "\(sentence)"
            )
        }
    }
}
