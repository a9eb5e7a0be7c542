import HAPCatalog
import HomeModel
import HomeText
import Testing

struct ValueTextTests {
    private typealias Characteristic = HAPType.Characteristic

    @Test(
        arguments: [
            (Characteristic.on, .bool(true), "on"), (Characteristic.on, .bool(false), "off"),
            (Characteristic.lockCurrentState, .integer(0), "unlocked"),
            (Characteristic.lockTargetState, .integer(1), "locked"),
            (Characteristic.currentDoorState, .integer(0), "open"),
            (Characteristic.contactSensorState, .integer(1), "open"),
            (Characteristic.motionDetected, .bool(true), "detected"),
            (Characteristic.leakDetected, .integer(0), "not detected"),
            (Characteristic.active, .integer(1), "on"),
            (Characteristic.rotationDirection, .integer(1), "counter clockwise"),
            (Characteristic.currentTemperature, .double(21.5), "21.5 °C"),
            (Characteristic.brightness, .integer(40), "40 %"),
            (Characteristic.hue, .double(120), "120°"),
            (Characteristic.currentAmbientLightLevel, .double(3.5), "3.5 lx"),
            (Characteristic.configuredName, .string("Cinema"), "Cinema"),
            (Characteristic.audioFeedback, .bool(true), "on"),
            (HAPType(short: 0xABCD), .integer(3), "3"),
        ] as [(HAPType, CharacteristicValue, String)]
    )
    func valueHasItsWords(type: HAPType, value: CharacteristicValue, text: String) {
        #expect(ValueText(type).text(of: value) == text)
    }

    @Test func missingValueIsADash() {
        #expect(ValueText(Characteristic.on).text(of: nil) == "–")
    }

    @Test func textOfEveryNamedValueIsReadAsTheValue() {
        for definition in CharacteristicDefinition.all {
            let text = ValueText(definition.type)
            for named in definition.namedValues {
                guard let value = CharacteristicValue.integer(named.value).converted(to: definition.metadata.format)
                else {
                    continue
                }
                #expect(text.value(of: text.text(of: value)) == value, "\(definition.name) \(named.name)")
                #expect(text.value(of: named.name) == value, "\(definition.name) \(named.name)")
            }
        }
    }

    @Test(
        arguments: [
            (Characteristic.brightness, "20 %", .integer(20)),
            (Characteristic.targetTemperature, "21.5°C", .double(21.5)),
            (Characteristic.on, "ON", .bool(true)), (Characteristic.on, "dim", nil),
            (Characteristic.brightness, "dim", nil),
            (Characteristic.lockTargetState, "unlocked", .integer(0)),
            (Characteristic.lockTargetState, "Secured", .integer(1)),
            (Characteristic.lockTargetState, "1", .integer(1)), (Characteristic.configuredName, "5", .string("5")),
        ] as [(HAPType, String, CharacteristicValue?)]
    )
    func valueIsRead(type: HAPType, text: String, value: CharacteristicValue?) {
        #expect(ValueText(type).value(of: text) == value)
    }

    @Test(arguments: [
        ("90s", 90), ("5m", 300), ("2h", 7_200), ("7d", 604_800), ("1w", 604_800), ("1h30m", 5_400),
        ("1 hour and 30 minutes", 5_400), ("2 weeks", 1_209_600), ("an hour", 3_600), ("", nil), ("7", nil), ("d", nil),
        ("7d ago", nil), ("-7d", nil), ("7y", nil), ("99999d", nil), ("7d7", nil),
    ])
    func durationIsRead(text: String, seconds: Int?) {
        #expect(DurationText.seconds(of: text) == seconds)
    }
}
