import AccessoryPeers
import Foundation
import HAP
import HAPCatalog
import HAPServer
import PeerProcess
import Testing

@testable import AccessorySimulator

/// Accessory files that are written and read again.
@Suite struct FileWritingTests {
    private func read(_ text: String) throws -> AccessoryDescription {
        try AccessoryDescription(parsing: Array(text.utf8), source: "test.json")
    }

    private func check(_ description: AccessoryDescription) throws {
        let text = description.fileText()
        let again = try AccessoryDescription(parsing: text, source: description.source)
        #expect(again.accessories == description.accessories)
        #expect(again.delays == description.delays)
        #expect(again.category == description.category)
        #expect(again.setupCode == description.setupCode)
        #expect(again.setupID == description.setupID)
        #expect(again.deviceID == description.deviceID)
        #expect(again.fileText() == text, "what is written is canonical")
    }

    @Test func everyFileOfTheDemoHomeIsTheSameAfterWriting() throws {
        let folder = try PeerPython.packageRoot().appending(path: "Examples/DemoHome")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "home.json" }
        #expect(names.count > 10)
        for name in names {
            try check(try AccessoryDescription(file: folder.appending(path: name).path))
        }
    }

    @Test func everyServiceOfTheCatalogueIsTheSameAfterWriting() throws {
        let fixed = [
            HAPType.Service.accessoryInformation, HAPType.Service.protocolInformation, HAPType.Service.pairing,
        ]
        for definition in ServiceDefinition.all where !fixed.contains(definition.type) {
            let characteristics = definition.required + definition.optional
            guard !characteristics.isEmpty else { continue }
            let names = characteristics.map { #""\#(CharacteristicDefinition.of($0)?.identifier ?? "")": {}"# }
            try check(
                try read(
                    """
                    {"format": 1, "name": "Any", "serialNumber": "A-1", "category": "Other", "services": [
                      {"type": "\(definition.identifier)", "characteristics": {\(names.joined(separator: ", "))}}]}
                    """
                )
            )
        }
    }

    @Test func whatIsSaidOtherwiseThanInTheCatalogueStays() throws {
        let description = try read(
            """
            {"format": 1, "name": "Odd", "serialNumber": "O-1", "category": 77, "setupCode": "482-11-957",
             "setupID": "AB12", "deviceID": "3C:5A:B4:00:00:01", "hardwareRevision": "2.1",
             "information": {"AccessoryFlags": 1},
             "lastIID": 90, "iids": {"Lightbulb": 40, "Lightbulb/On": 41, "Gone": 60,
               "Lightbulb/7E536242-341C-4862-BE90-272CE15BD633": 42},
             "services": [{"type": "Lightbulb", "name": "Ceiling", "primary": true, "linked": ["second"], "delay": 0.25,
              "characteristics": {"On": true,
               "Brightness": {"min": null, "max": 50, "step": 5, "unit": null, "value": 10, "permissions": ["pr", "ev"]},
               "7E536242-341C-4862-BE90-272CE15BD633": {"format": "uint64", "permissions": ["pr", "pw", "tw"],
                "max": 18446744073709551615, "value": 18446744073709551615, "description": "A \\"quoted\\"\\nname"}}},
              {"type": "11111111-2222-3333-4444-555555555555", "key": "second", "hidden": true, "characteristics": {
               "99999999-2222-3333-4444-555555555555": {"format": "uint8", "permissions": ["pr"],
                "validValues": [1, 4], "validRanges": [[6, 9]], "value": 7},
               "88888888-2222-3333-4444-555555555555": {"format": "data", "permissions": ["pr"], "maxDataLength": 8,
                "value": "AAEC"}}}]}
            """
        )
        try check(description)
        let text = String(decoding: description.fileText(), as: UTF8.self)
        #expect(text.contains(#""category": 77"#))
        #expect(text.contains(#""min": null"#))
        #expect(text.contains(#""delay": 0.25"#))
        let brightness = description.accessories[0].services[0].characteristics.first {
            $0.type == HAPType.Characteristic.brightness
        }
        #expect(brightness?.metadata.minValue == nil && brightness?.metadata.unit == nil)
        #expect(description.accessories[0].identifiers?.lastIID == 90)
    }

    @Test func idsThatMakeNoSenseAreNamed() {
        for (members, reason) in [
            (#""iids": {"Lightbulb/Nonsense": 4}"#, "line 2: iids.Lightbulb/Nonsense: 'Nonsense' is neither"),
            (#""iids": {"Lightbulb": 0}"#, "line 2: iids.Lightbulb: expected an ID of at least 1"),
            (#""iids": {"Lightbulb": "4"}"#, "line 2: iids.Lightbulb: expected an ID of at least 1"),
            (
                "\"iids\": {\"Lightbulb\": 4,\n \"Fan\": 5,\n \"Lightbulb/On\": 4}",
                "line 4: iids.Lightbulb/On: 'Lightbulb' already has the iid 4"
            ),
            (#""aid": 3"#, "its aid cannot be 3"),
            (#""category": 256"#, "expected a string"),
        ] {
            let category = members.hasPrefix(#""category""#) ? "" : #", "category": "Fan""#
            let text = """
                {"format": 1, "name": "Lamp", "serialNumber": "L-1"\(category),
                 \(members), "services": [{"type": "Lightbulb"}]}
                """
            let error = #expect(throws: SimulatorError.self) { try read(text) }
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        }
    }
}
