import Foundation
import HAP
import HAPCatalog
import HAPServer
import PeerProcess
import Testing

@testable import AccessorySimulator

/// The files of the demo home.
@Suite struct DemoHomeTests {
    private struct Layout: Decodable {
        let home: String
        let rooms: [String]
        let zones: [String: [String]]
        let files: [String]
        let placement: [String: String]
    }

    private let folder: URL
    private let layout: Layout

    init() throws {
        folder = try PeerPython.packageRoot().appending(path: "Examples/DemoHome")
        layout = try JSONDecoder().decode(Layout.self, from: Data(contentsOf: folder.appending(path: "home.json")))
    }

    private func descriptions() throws -> [AccessoryDescription] {
        try layout.files.map { try AccessoryDescription(file: folder.appending(path: $0).path()) }
    }

    @Test func everyAccessoryHasAPlace() throws {
        let names = try descriptions().flatMap { description in
            description.accessories.dropFirst(description.accessories.count > 1 ? 1 : 0).map(\.information.name)
        }
        #expect(Set(names).count == names.count)
        #expect(Set(names) == Set(layout.placement.keys))
        #expect(layout.rooms.count == 7)
        #expect(Set(layout.placement.values) == Set(layout.rooms))
        #expect(Set(layout.zones.keys) == ["Upstairs", "Downstairs", "Outside"])
        #expect(Set(layout.zones.values.flatMap(\.self)) == Set(layout.rooms))
    }

    @Test func everyFileOfTheFolderIsPartOfTheHome() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { $0 != "home.json" }
        #expect(Set(files) == Set(layout.files))
    }

    @Test func theGarageDoorOpenerIsTheOneOfTheSample() throws {
        let opener = try #require(try descriptions().last)
        let accessory = try #require(opener.accessories.first)
        #expect(opener.setupCode == (try SetupCode("140-41-323")))
        #expect(accessory.information.manufacturer == "Kilgo Devices, Inc.")
        #expect(accessory.services.map(\.type) == [HAPType.Service.garageDoorOpener, HAPType.Service.lightbulb])
        #expect(accessory.services.map(\.isPrimary) == [true, false])
        let fade = try #require(accessory.services.last?.characteristics.last)
        #expect(fade.type.longForm == "7E536242-341C-4862-BE90-272CE15BD633")
        #expect(fade.metadata.manufacturerDescription == "Fade Rate")
        #expect(fade.metadata.maxValue == .integer(1))
        #expect(fade.metadata.stepValue == .double(0.1))
        #expect(fade.permissions == [.read, .write, .notify])
    }
}
