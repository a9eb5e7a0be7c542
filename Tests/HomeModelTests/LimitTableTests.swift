import Foundation
import HomeModel
import Testing

/// The documented limits match the enforced ones.
@Suite struct LimitTableTests {
    private static let limits: [String: Int] = [
        "nameLength": HomeLimits.nameLength,
        "reportedTextLength": HomeLimits.reportedTextLength,
        "homesPerUser": HomeLimits.homesPerUser,
        "roomsPerHome": HomeLimits.roomsPerHome,
        "zonesPerHome": HomeLimits.zonesPerHome,
        "accessoriesPerHome": HomeLimits.accessoriesPerHome,
        "accessoriesPerServer": HomeLimits.accessoriesPerServer,
        "servicesPerAccessory": HomeLimits.servicesPerAccessory,
        "characteristicsPerService": HomeLimits.characteristicsPerService,
        "validValuesPerCharacteristic": HomeLimits.validValuesPerCharacteristic,
        "serviceGroupsPerHome": HomeLimits.serviceGroupsPerHome,
        "servicesPerGroup": HomeLimits.servicesPerGroup,
        "actionSetsPerHome": HomeLimits.actionSetsPerHome,
        "actionsPerActionSet": HomeLimits.actionsPerActionSet,
        "valueLength": HomeLimits.valueLength,
        "triggersPerHome": HomeLimits.triggersPerHome,
        "temporaryTriggersPerHome": HomeLimits.temporaryTriggersPerHome,
        "actionSetsPerTrigger": HomeLimits.actionSetsPerTrigger,
        "eventsPerTrigger": HomeLimits.eventsPerTrigger,
        "termsPerCondition": HomeLimits.termsPerCondition,
        "peoplePerPresence": HomeLimits.peoplePerPresence,
        "shortestRecurrence": HomeLimits.shortestRecurrence,
        "longestRecurrence": HomeLimits.longestRecurrence,
        "sunOffset": HomeLimits.sunOffset,
        "duration": HomeLimits.duration,
        "regionRadius": HomeLimits.regionRadius,
        "usersPerHome": HomeLimits.usersPerHome,
        "favoritesPerHome": HomeLimits.favoritesPerHome,
        "orderedServicesPerRoom": HomeLimits.orderedServicesPerRoom,
        "appsPerUser": HomeLimits.appsPerUser,
        "removedDeviceDays": HomeLimits.removedDeviceDays,
        "removedDevicesPerUser": HomeLimits.removedDevicesPerUser,
        "appIdentifierLength": HomeLimits.appIdentifierLength,
        "purposeLength": HomeLimits.purposeLength,
        "exportLength": HomeLimits.exportLength,
    ]

    private static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func theTableOfLimitsSaysWhatTheCodeSays() throws {
        let page = Self.repository.appending(path: "Documentation/Limits.md")
        var table: [String: Int] = [:]
        let text = try String(contentsOf: page, encoding: .utf8)
        // Limits of other subjects follow under separate headings.
        let homes = text.prefix(upTo: text.firstRange(of: "\n## ")?.lowerBound ?? text.endIndex)
        for line in homes.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            table[cells[0].trimmingCharacters(in: ["`"])] = Int(cells[1])
        }
        #expect(table == Self.limits)
    }

    @Test func everyLimitIsInTheTable() throws {
        let source = Self.repository.appending(path: "Sources/HomeModel/Home/HomeLimits.swift")
        let marker = "package static let "
        let names = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.range(of: marker).map { String(line[$0.upperBound...].prefix(while: \.isLetter)) }
        }
        #expect(Set(names) == Set(Self.limits.keys))
    }
}
