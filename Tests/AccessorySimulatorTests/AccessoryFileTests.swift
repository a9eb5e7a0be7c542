import HAP
import HAPCatalog
import HAPServer
import Testing

@testable import AccessorySimulator

@Suite struct AccessoryFileTests {
    private func read(_ text: String) throws(SimulatorError) -> AccessoryDescription {
        try AccessoryDescription(parsing: Array(text.utf8), source: "test.json")
    }

    /// A lamp with known lines: the services are on line 3, the characteristics on line 4.
    private func lamp(root: String = "", service: String = "", characteristics: String = "") -> String {
        """
        {"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb"\(root),
         "services": [
          {"type": "Lightbulb"\(service),
           "characteristics": {\(characteristics)}}]}
        """
    }

    /// Returns the reason why a file is invalid.
    private func reason(_ text: String) -> String? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error.code == .invalidFile ? error.reason : "\(error)"
        }
    }

    @Test func aShortFileIsCompletedFromTheCatalogue() throws {
        let description = try read(lamp())
        let accessory = try #require(description.accessories.first)
        #expect(description.category == .lightbulb)
        #expect(accessory.key == "L-1")
        #expect(accessory.information.manufacturer == "Hearth")
        #expect(accessory.information.firmwareRevision == "1.0.0")
        #expect(accessory.services.map(\.key) == ["Lightbulb"])
        let on = try #require(accessory.services.first?.characteristics.first)
        #expect(on.type == HAPType.Characteristic.on)
        #expect(on.value == .bool(false))
    }

    @Test func valuesMayBeGivenByName() throws {
        let text = """
            {"format": 1, "name": "Door", "serialNumber": "D-1", "category": "Garage Door Opener", "services": [
             {"type": "GarageDoorOpener", "characteristics":
              {"CurrentDoorState": "Stopped", "TargetDoorState": "closed", "ObstructionDetected": 1}}]}
            """
        let service = try #require(try read(text).accessories.first?.services.first)
        #expect(service.characteristics.map(\.value) == [.integer(4), .integer(1), .bool(true)])
    }

    @Test func aCharacteristicCanBeNarrowed() throws {
        let change = #""Brightness": {"min": 10, "max": 90, "step": 5, "permissions": ["pr", "ev"], "value": 90}"#
        let service = try #require(try read(lamp(characteristics: change)).accessories.first?.services.first)
        let brightness = try #require(service.characteristics.first)
        #expect(brightness.metadata.minValue == .integer(10))
        #expect(brightness.metadata.maxValue == .integer(90))
        #expect(brightness.metadata.stepValue == .integer(5))
        #expect(brightness.metadata.format == .int)
        #expect(brightness.permissions == [.read, .notify])
        #expect(brightness.value == .integer(90))
    }

    @Test func typesOfOnesOwnAreUUIDs() throws {
        let text = """
            {"format": 1, "name": "Thing", "serialNumber": "T-1", "category": "Other", "services": [
             {"type": "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE", "key": "own", "characteristics": {
              "7E536242-341C-4862-BE90-272CE15BD633":
               {"format": "data", "permissions": ["pr", "tw", "hd"], "maxDataLength": 3, "value": "AQID"}}}]}
            """
        let service = try #require(try read(text).accessories.first?.services.first)
        let characteristic = try #require(service.characteristics.first)
        #expect(service.type.longForm == "AAAAAAAA-BBBB-CCCC-DDDD-EEEEEEEEEEEE")
        #expect(characteristic.type.longForm == "7E536242-341C-4862-BE90-272CE15BD633")
        #expect(characteristic.permissions == [.read, .timedWrite, .hidden])
        #expect(characteristic.value == .data([1, 2, 3]))
    }

    @Test func accessoriesMakeABridge() throws {
        let text = """
            {"format": 1, "name": "Bridge", "serialNumber": "B-1", "setupCode": "140-41-323", "setupID": "DSRE",
             "deviceID": "74:b3:92:4a:41:85", "accessories": [
              {"name": "One", "serialNumber": "L-1", "services": [{"type": "Lightbulb"}]},
              {"name": "Two", "serialNumber": "L-2", "hardwareRevision": "2.0",
               "information": {"SoftwareRevision": "7.1"},
               "services": [{"type": "Lightbulb", "delay": 1.5}, {"type": "Lightbulb", "key": "second"}]}]}
            """
        let description = try read(text)
        #expect(description.category == .bridge)
        #expect(description.setupCode == (try SetupCode("140-41-323")))
        #expect(description.setupID == SetupID("DSRE"))
        #expect(description.deviceID == DeviceID("74:B3:92:4A:41:85"))
        #expect(description.accessories.map(\.key) == ["B-1", "L-1", "L-2"])
        #expect(description.accessories.last?.services.map(\.key) == ["Lightbulb", "second"])
        #expect(description.accessories.last?.information.additional.first?.value == .string("7.1"))
        #expect(description.delays == [.init(accessory: "L-2", service: "Lightbulb"): .seconds(1.5)])
    }

    @Test func brokenJSONIsToldWithItsLine() {
        #expect(reason("{\n\"format\": 1,\n}") == "test.json, line 3: invalid JSON: unexpected character")
        #expect(reason("") == "test.json, line 1: invalid JSON: unexpected end")
        #expect(reason(#"{"format": 1, "format": 1}"#) == "test.json, line 1: invalid JSON: duplicate name")
    }

    @Test func everyErrorNamesLineAndField() {
        let errors: [(String, String)] = [
            (lamp(root: #", "colour": 1"#), "line 1: colour: unknown key 'colour'"),
            (
                lamp(root: #", "setupCode": "123-45-678""#),
                "line 1: setupCode: This setup code is not allowed because it is too easy to guess"
            ),
            (lamp(root: #", "setupCode": 7"#), "line 1: setupCode: expected a string"),
            (lamp(root: #", "setupID": "abc""#), "line 1: setupID: 'abc' is not a setup ID"),
            (lamp(root: #", "deviceID": "1""#), "line 1: deviceID: '1' is not a device ID"),
            (lamp(service: #", "primary": "yes""#), "line 3: services[0].primary: expected true or false"),
            (lamp(service: #", "delay": -1"#), "line 3: services[0].delay: a delay must be from 0 to 3600 seconds"),
            (lamp(service: #", "delay": 3601"#), "line 3: services[0].delay"),
            (lamp(service: #", "linked": "x""#), "line 3: services[0].linked: expected an array"),
            (
                lamp(characteristics: #""On": true, "Brightness": 101"#),
                "line 4: services[0].characteristics.Brightness: 101 is above the maximum 100"
            ),
            (
                lamp(characteristics: #""On": "maybe""#),
                "line 4: services[0].characteristics.On: 'maybe' is not a value"
            ),
            (
                lamp(characteristics: #""Brightnes": 1"#),
                "line 4: services[0].characteristics.Brightnes: 'Brightnes' is neither a characteristic"
            ),
            (lamp(characteristics: #""Brightness": {"minimum": 1}"#), "unknown key 'minimum'"),
            (
                lamp(characteristics: #""On": {"min": 1}"#),
                "characteristics.On.min: the format bool doesn't support this bound"
            ),
            (lamp(characteristics: #""On": {"permissions": ["px"]}"#), "On.permissions[0]: 'px' is not a permission"),
            (lamp(characteristics: #""On": true, "on": true"#), "already has the characteristic On"),
            (
                lamp(characteristics: #""7E536242-341C-4862-BE90-272CE15BD633": 1"#),
                "an object with format and permissions"
            ),
            (
                lamp(characteristics: #""7E536242-341C-4862-BE90-272CE15BD633": {"format": "uint9"}"#),
                "'permissions' is missing"
            ),
        ]
        for (text, expected) in errors {
            let reason = reason(text)
            #expect(reason?.contains("test.json, ") == true && reason?.contains(expected) == true, "\(reason ?? "")")
        }
    }

    @Test func theRootIsCheckedAsWell() {
        #expect(reason("[]") == "test.json, line 1: expected an object")
        #expect(reason("{}") == "test.json, line 1: 'format' is missing")
        #expect(reason(#"{"format": 2}"#) == "test.json, line 1: format: this version only supports format 1")
        let nameless = #"{"format": 1, "category": "Other", "serialNumber": "X1"}"#
        #expect(reason(nameless) == "test.json, line 1: 'name' is missing")
        let uncategorised = #"{"format": 1, "name": "N", "serialNumber": "X1"}"#
        #expect(reason(uncategorised) == "test.json, line 1: 'category' is missing")
        let odd = #"{"format": 1, "name": "N", "serialNumber": "X1", "category": "Toaster"}"#
        #expect(reason(odd)?.contains("'Toaster' is not a category; use Other, Bridge") == true)
    }

    @Test func whatHAPForbidsIsToldWithTheFile() {
        let long = String(repeating: "n", count: 65)
        let text = #"{"format": 1, "name": "\#(long)", "serialNumber": "X1", "category": "Other"}"#
        #expect(reason(text)?.hasPrefix("test.json: X1: the name") == true)
        let twice = #"{"type": "Lightbulb"},\#n {"type": "Lightbulb"}"#
        let twins = #"{"format": 1, "name": "N", "serialNumber": "X1", "category": "Other", "services": [\#(twice)]}"#
        #expect(reason(twins)?.contains("test.json, line 2: services[1]: another service has the key") == true)
    }

    @Test func twoAccessoriesOfOneSerialNumberInAFileAreNamed() {
        let text = """
            {"format": 1, "name": "Bridge", "serialNumber": "B-1", "accessories": [
             {"name": "One", "serialNumber": "L-1"},
             {"name": "Two",
              "serialNumber": "L-1"}]}
            """
        #expect(
            reason(text) == "test.json, line 4: accessories[1].serialNumber: another accessory has the serial number "
                + "'L-1'; give this one a different number"
        )
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let error = #expect(throws: SimulatorError.self) { _ = try AccessoryDescription(file: "/nowhere/lamp.json") }
        #expect(error?.code == .unreadableFile)
        #expect(error?.reason.contains("/nowhere/lamp.json does not exist") == true)
    }

    @Test func escapesAndNestingDoNotConfuseTheLines() {
        let text = """
            {"format": 1, "name": "a \\"quoted\\" { [ name", "category": "Other",
             "serialNumber": "X1",
             "services": [
              {"type": "Switch", "characteristics": {"Name": "}],\\\\"}},
              {"type": "Fan", "characteristics": {
                "On": [1]}}]}
            """
        #expect(reason(text) == "test.json, line 6: services[1].characteristics.On: expected a value")
    }
}
