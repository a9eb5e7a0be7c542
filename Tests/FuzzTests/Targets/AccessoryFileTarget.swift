import HAP
import HAPCatalog

@testable import AccessorySimulator
@testable import HAPServer

extension FuzzTarget {
    /// Accessory files: an accepted file can be hosted, and the error for a rejected file has a location.
    static let accessoryFiles = FuzzTarget("accessory-files", maximumLength: 2_048) { input throws(Violation) in
        let description: AccessoryDescription
        do throws(SimulatorError) {
            description = try AccessoryDescription(parsing: input, source: "lamp.json")
        } catch {
            try hold(error.code == .invalidFile, "a rejected file is an invalid file")
            try hold(error.reason.hasPrefix("lamp.json"), "the file is named")
            if let line = error.reason.firstMatch(of: /^lamp\.json, line (\d+):/).flatMap({ Int($0.1) }) {
                let lines = 1 + input.count { $0 == UInt8(ascii: "\n") }
                try hold((1...lines).contains(line), "the line is in the file")
            }
            return false
        }
        try check(description)
        return true
    }

    /// Files of Apple's simulator: an accepted file can be hosted, and equals its conversion to our format and to
    /// another archive.
    static let archives = FuzzTarget("archives", maximumLength: 12_288) { input throws(Violation) in
        let source = "garage.hasaccessory"
        let description: AccessoryDescription
        do throws(SimulatorError) {
            description = try AccessoryDescription.importing(archive: input, source: source).description
        } catch {
            try hold(error.code == .invalidFile, "a rejected file is an invalid file")
            try hold(error.reason.hasPrefix(source), "the file is named")
            return false
        }
        try check(description)
        guard let file = try? AccessoryDescription(parsing: description.fileText(), source: source) else {
            throw Violation(description: "what is imported is a file of ours")
        }
        try hold(file.accessories == description.accessories, "our format contains everything that was imported")
        // Not everything in a description can be represented in an archive.
        guard let archive = try? description.archive() else { return true }
        guard let again = try? AccessoryDescription.importing(archive: archive, source: source).description else {
            throw Violation(description: "what is exported can be imported")
        }
        try hold(again.accessories == description.accessories, "the export equals the import")
        return true
    }

    private static func check(_ description: AccessoryDescription) throws(Violation) {
        var identifiers = IdentifierTable()
        let first = try host(description.accessories, &identifiers)
        let table = identifiers
        let again = try host(description.accessories, &identifiers)
        try hold(identifiers == table, "an accessory keeps its IDs")
        try hold(first.attributes == again.attributes, "an accessory doesn't change")
        try hold(first.structure == again.structure, "the structure doesn't change")
        try check(first.attributes)
    }

    private static func host(
        _ accessories: [HostedAccessory],
        _ identifiers: inout IdentifierTable
    ) throws(Violation) -> HostedDatabase {
        var completed: [HostedAccessory] = []
        for accessory in accessories {
            guard let accessory = try? accessory.completed(isPrimary: completed.isEmpty) else {
                throw Violation(description: "a file that is taken can be hosted")
            }
            completed.append(accessory)
        }
        return HostedDatabase(completed, identifiers: &identifiers)
    }

    private static func check(_ attributes: AttributeDatabase) throws(Violation) {
        let body = attributes.encoded()
        guard let read = try? AttributeDatabase(decoding: body) else {
            throw Violation(description: "a controller can read what is hosted")
        }
        try hold(read.encoded() == body, "a controller reads the hosted accessories")
        try hold(Set(read.accessories.map(\.aid)).count == read.accessories.count, "aids are unique")
        for accessory in read.accessories {
            let iids = accessory.services.flatMap { [$0.iid] + $0.characteristics.map(\.iid) }
            try hold(Set(iids).count == iids.count, "iids are unique")
            for characteristic in accessory.services.flatMap(\.characteristics) {
                guard let value = characteristic.value else { continue }
                let isValid = (try? characteristic.metadata.validate(value, checkingStep: false)) != nil
                try hold(isValid, "hosted values are valid")
            }
        }
    }
}
