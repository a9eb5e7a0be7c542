import AccessoryPeers
import Foundation
import HAP
import PeerProcess
import Testing

@testable import AccessorySimulator

/// Compares the JSON schema of accessory files, evaluated by a third-party implementation, with the parser.
@Suite struct SchemaTests {
    private static func schema() throws -> URL {
        try PeerPython.packageRoot().appending(path: "Documentation/accessory-file.schema.json")
    }

    /// The errors in each file according to the schema.
    private func verdicts(_ files: [String]) async throws -> [String: [String]] {
        let judge = try PeerPython.start("json_schema.py", [Self.schema().path])
        try judge.send(files.joined(separator: "\n"))
        judge.closeInput()
        let verdicts = try await judge.json([String: [String]].self, "the verdicts") { _ in true }
        await judge.terminate()
        return verdicts
    }

    /// Returns all files in a folder and its subfolders.
    private static func files(below folder: String) throws -> [URL] {
        let root = try PeerPython.packageRoot().appending(path: folder)
        let all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isRegularFileKey])
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .sorted { $0.path < $1.path }
    }

    @Test func theSchemaHasTheKeysOfTheParser() throws {
        let schema = try JSONValue(parsing: Array(try Data(contentsOf: Self.schema()))).object
        func keys(_ definition: JSONObject?) -> Set<String> {
            Set(definition?["properties"]?.object?.map { $0.name } ?? [])
        }
        let definitions = schema?["$defs"]?.object
        #expect(keys(schema) == Set(AccessoryFileKey.root + AccessoryFileKey.accessory))
        #expect(keys(definitions?["bridged"]?.object) == Set(AccessoryFileKey.accessory))
        #expect(keys(definitions?["service"]?.object) == Set(AccessoryFileKey.service))
        #expect(keys(definitions?["characteristic"]?.object) == Set(AccessoryFileKey.characteristic))
    }

    @Test func everyFileOfTheExamplesFits() async throws {
        let files = try Self.files(below: "Examples").filter { $0.pathExtension == "json" }
        var accessories: [String] = []
        for file in files where (try? AccessoryDescription(file: file.path)) != nil { accessories.append(file.path) }
        #expect(accessories.count > AccessoryLibrary.names.count)
        for (file, errors) in try await verdicts(accessories) { #expect(errors.isEmpty, "\(file): \(errors)") }
    }

    @Test func whatTheSimulatorWritesFits() async throws {
        let folder = try TemporaryFolder()
        var descriptions = try AccessoryLibrary.names.map { try AccessoryLibrary.accessory($0) }
        let specimens = try Self.files(below: "Tests/AccessorySimulatorTests/Specimens")
        for file in specimens where file.pathExtension == "hasaccessory" {
            descriptions.append(try AccessoryDescription(file: file.path))
        }
        var files: [String] = []
        for (index, description) in descriptions.enumerated() {
            try folder.write(String(decoding: description.fileText(), as: UTF8.self), "\(index).json")
            files.append(folder.path + "\(index).json")
        }
        #expect(files.count == AccessoryLibrary.names.count + 1)
        for (file, errors) in try await verdicts(files) { #expect(errors.isEmpty, "\(file): \(errors)") }
    }

    @Test func whatTheParserTakesOfTheCorpusFits() async throws {
        let files = try Self.files(below: "Tests/Corpus/accessory-files").filter { file in
            let bytes = Array(try Data(contentsOf: file))
            return (try? AccessoryDescription(parsing: bytes, source: "")) != nil
        }
        #expect(!files.isEmpty)
        for (file, errors) in try await verdicts(files.map(\.path)) { #expect(errors.isEmpty, "\(file): \(errors)") }
    }

    /// The members of a file, a service or a characteristic whose form the parser rejects.
    private static let wrong: [String] = {
        let root = [
            #""format": 2"#, #""format": "1""#, #""name": 7"#, #""name": null"#, #""name": """#,
            #""serialNumber": []"#, #""manufacturer": false"#, #""model": {}"#, #""firmwareRevision": "new""#,
            #""firmwareRevision": "1.2.3.4""#, #""hardwareRevision": 1"#, #""category": 0"#, #""category": 256"#,
            #""category": true"#, #""setupCode": "1234567""#, #""setupCode": 48211957"#, #""setupID": "abcd""#,
            #""setupID": "ABCDE""#, #""deviceID": "11:22:33:44:55""#, #""accessories": {}"#, #""accessories": [1]"#,
            #""accessories": [{"name": "A"}]"#, #""accessories": [{"serialNumber": "A-1"}]"#,
            #""accessories": [{"name": "A", "serialNumber": "A-1", "category": "Fan"}]"#, #""information": []"#,
            #""services": {}"#, #""services": [7]"#, #""aid": 0"#, #""aid": "1""#, #""iids": []"#,
            #""iids": {"Lightbulb": 0}"#, #""iids": {"Lightbulb": "9"}"#, #""lastIID": -1"#, #""colour": "red""#,
        ]
        let service = [
            #""type": 7"#, #""type": """#, #""key": "a/b""#, #""key": true"#, #""name": []"#, #""primary": 1"#,
            #""hidden": "no""#, #""linked": "Battery""#, #""linked": [1]"#, #""delay": "2s""#, #""delay": -1"#,
            #""delay": 3601"#, #""habits": "runs-down""#, #""habits": [1]"#, #""habits": ["sings"]"#,
            #""characteristics": []"#, #""colour": "red""#,
        ]
        let characteristic = [
            #""value": null"#, #""value": []"#, #""permissions": "pr""#, #""permissions": ["read"]"#,
            #""format": "number""#, #""format": 1"#, #""unit": 1"#, #""min": "0""#, #""max": true"#, #""step": []"#,
            #""maxLength": -1"#, #""maxDataLength": "4""#, #""validValues": 1"#, #""validValues": [0.5]"#,
            #""validRanges": [[1]]"#, #""validRanges": [[1, 2, 3]]"#, #""validRanges": [1, 2]"#,
            #""description": null"#, #""colour": "red""#,
        ]
        let whole = ["[]", "7", #"{"name": "Lamp", "serialNumber": "L-1"}"#, "{}"]
        return whole + root.map { file(root: $0) } + service.map { file(service: $0) }
            + characteristic.map { file(characteristic: $0) }
    }()

    /// Returns a file in which a member replaces the one with the same name.
    private static func file(root: String? = nil, service: String? = nil, characteristic: String? = nil) -> String {
        func object(_ members: [String], _ other: String?) -> String {
            guard let other else { return "{\(members.joined(separator: ", "))}" }
            let name = other.prefix { $0 != ":" }
            let rest = members.filter { !$0.hasPrefix("\(name):") }
            return "{\((rest + [other]).joined(separator: ", "))}"
        }
        let brightness = object([#""value": 40"#], characteristic)
        let lightbulb = object(
            [#""type": "Lightbulb""#, #""characteristics": {"On": true, "Brightness": \#(brightness)}"#],
            service
        )
        return object(
            [
                #""format": 1"#, #""name": "Lamp""#, #""serialNumber": "L-1""#, #""category": "Lightbulb""#,
                #""services": [\#(lightbulb)]"#,
            ],
            root
        )
    }

    @Test func whatTheParserRefusesForItsFormFailsThereToo() async throws {
        let folder = try TemporaryFolder()
        var texts: [String: String] = [:]
        for (index, text) in ([Self.file()] + Self.wrong).enumerated() {
            try folder.write(text, "\(index).json")
            texts[folder.path + "\(index).json"] = text
            let isTaken = (try? AccessoryDescription(parsing: Array(text.utf8), source: "")) != nil
            #expect(isTaken == (index == 0), "the parser: \(text)")
        }
        for (file, errors) in try await verdicts(texts.keys.sorted()) {
            let text = texts[file] ?? ""
            #expect(errors.isEmpty == (text == Self.file()), "the schema: \(text)")
        }
    }
}
