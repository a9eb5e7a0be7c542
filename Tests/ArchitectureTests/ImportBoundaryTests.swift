import Foundation
import Testing

/// Who may import whom. The arrows point inward: the wire never learns of homes, the home's model never of the wire, and
/// whoever shows a home reaches it through the hub's methods only.
@Suite struct ImportBoundaryTests {
    /// What a target may import, besides Foundation and the system's own modules.
    struct Border: Sendable, CustomStringConvertible {
        var target: String
        var allowed: Set<String>
        var reason: String

        var description: String { target }
    }

    static let nio: Set<String> = ["NIOCore", "NIOPosix"]

    static let borders = [
        Border(target: "HAPCatalog", allowed: [], reason: "Everything stands on it, so it stands on nothing."),
        Border(target: "CChaCha20", allowed: [], reason: "It is arithmetic on given bytes."),
        Border(target: "COpenSSL", allowed: [], reason: "It is the system's library."),
        Border(
            target: "HAP",
            allowed: ["CChaCha20", "HAPCatalog", "Crypto"],
            reason: "The protocol without I/O is tested with bytes alone."
        ),
        Border(target: "DNSSD", allowed: nio, reason: "mDNS serves others than HAP too."),
        Border(
            target: "WirelessSetup",
            allowed: ["HAP", "Crypto", "CryptoExtras"],
            reason: "How an accessory gets onto a network is bytes alone, the same for hub and simulator."
        ),
        Border(target: "ChannelSockets", allowed: nio, reason: "A socket carries any messages."),
        Border(
            target: "HAPServer",
            allowed: nio.union(["ChannelSockets", "HAP", "HAPCatalog", "DNSSD", "WirelessSetup"]),
            reason: "An accessory knows no homes."
        ),
        Border(
            target: "HAPClient",
            allowed: nio.union(["HAP", "HAPCatalog", "WirelessSetup"]),
            reason: "A controller knows accessories; homes are the hub's."
        ),
        Border(
            target: "AccessoryCheck",
            allowed: nio.union(["Crypto", "HAP", "HAPCatalog"]),
            reason: "Checks see an accessory from outside, as bytes on a connection."
        ),
        Border(
            target: "AirPlay",
            allowed: ["AppleLossless", "Crypto", "HAP"],
            reason: "Senders and receivers of audio are values that are tested with packets alone."
        ),
        Border(
            target: "AirPlayNetwork",
            allowed: nio.union(["AirPlay", "DNSSD", "HAP"]),
            reason: "Audio on the network knows no homes and no hub."
        ),
        Border(target: "DesktopMedia", allowed: [], reason: "The desktop shows what plays, whoever plays it."),
        Border(target: "SoundCard", allowed: [], reason: "A sound card plays samples, wherever they come from."),
        Border(target: "AppleLossless", allowed: [], reason: "A codec is arithmetic on given samples and bytes."),
        Border(
            target: "ControllerCheck",
            allowed: ["AccessoryCheck", "Crypto", "DNSSD", "HAP", "HAPCatalog", "HAPServer"],
            reason: "Checks see a controller from the accessory's side; what checks share is in AccessoryCheck."
        ),
        Border(
            target: "HomeModel",
            allowed: ["HAPCatalog", "HashTreeCollections"],
            reason: "The home is values and rules, without I/O."
        ),
        Border(
            target: "HomeStore",
            allowed: ["Consensus", "HomeModel", "GRDB", "Crypto"],
            reason: "The store keeps entries and batches; what they mean is the model's."
        ),
        Border(
            target: "Automations",
            allowed: ["HAPCatalog", "HomeModel"],
            reason: "When triggers fire is decided by values, with time handed in."
        ),
        Border(
            target: "Journal",
            allowed: ["GRDB", "GRDBSQLite", "HAPCatalog", "HomeModel", "HubAPI"],
            reason: "The journal keeps what happened in a file of its own."
        ),
        Border(
            target: "HomeText",
            allowed: ["HAPCatalog", "HomeModel", "HubAPI"],
            reason: "Sentences about homes are the same everywhere, so every client can pull them in."
        ),
        Border(
            target: "Voice",
            allowed: ["HomeModel"],
            reason: "What a sentence means is decided by values; of the home it knows what kinds of services there are."
        ),
        Border(
            target: "Wyoming",
            allowed: ["HAP"],
            reason: "How satellites bring sentences is bytes alone; what the sentences mean is the hub's."
        ),
        Border(
            target: "ModelContext",
            allowed: ["HAP"],
            reason: "How assistants call tools is messages alone; what the tools do is their provider's."
        ),
        Border(
            target: "HomeIdentity",
            allowed: ["Crypto", "HAP"],
            reason: "Keys, invitations and how a device joins are values that are tested with bytes alone."
        ),
        Border(
            target: "SealedFeed",
            allowed: ["Crypto", "HAP", "HomeIdentity"],
            reason: "Readers and writers of feeds are values, so that every lie of a relay is tested with bytes alone."
        ),
        Border(
            target: "Consensus",
            allowed: [],
            reason: "How two hubs and a relay agree is values, so that every failure is tested by a scheduler."
        ),
        Border(
            target: "Replication",
            allowed: ["Consensus", "HAP", "HomeIdentity", "HomeModel", "HomeStore", "SealedFeed"],
            reason: "What two hubs keep the same is stores and messages; how those travel is handed in."
        ),
        Border(
            target: "AgeFile",
            allowed: ["Crypto", "CryptoExtras"],
            reason: "A file format is nobody's but its own."
        ),
        Border(
            target: "ControllerFiles",
            allowed: ["HAP"],
            reason: "Other controllers' files are read apart from what is done with them."
        ),
        Border(
            target: "LocalRPC",
            allowed: [],
            reason: "Messages between processes know no homes and no sockets."
        ),
        Border(
            target: "LocalRPCSockets",
            allowed: nio.union(["ChannelSockets", "LocalRPC", "Logging"]),
            reason: "Sockets carry messages of any server."
        ),
        Border(
            target: "HubAPI",
            allowed: ["HAPCatalog", "HomeModel", "LocalRPC"],
            reason: "Every client of a hub pulls it in, so it pulls in nothing."
        ),
        Border(
            target: "HubClient",
            allowed: ["HubAPI", "LocalRPC", "LocalRPCSockets"],
            reason: "An app needs no HTTP server and no SQLite to reach a hub."
        ),
        Border(
            target: "HomeHub",
            allowed: [
                "AgeFile", "AirPlay", "AirPlayNetwork", "Automations", "Consensus", "Crypto", "DNSSD", "HAP",
                "HAPCatalog", "HAPClient", "HomeIdentity", "HomeModel", "HomeStore", "HomeText", "HubAPI", "Journal",
                "Logging",
                "MediaRouting", "Metrics", "Replication", "SealedFeed", "Voice", "WirelessSetup",
            ],
            reason: "The hub's parts are reached by its methods, whatever carries them."
        ),
        Border(
            target: "TLS",
            allowed: ["COpenSSL", "NIOCore"],
            reason: "Encryption knows nothing of what it encrypts."
        ),
        Border(
            target: "FolderAccess",
            allowed: [],
            reason: "Who has a data folder is the same question for each program."
        ),
        Border(
            target: "WebServer",
            allowed: nio.union([
                "HTTPTypes", "HummingbirdCore", "Logging", "NIOHTTP2", "NIOHTTPTypes", "NIOHTTPTypesHTTP2", "TLS",
            ]),
            reason: "A port that serves HTTP knows nothing of what it serves: hub and relay share it."
        ),
        Border(
            target: "RelayAPI",
            allowed: ["Consensus", "Crypto", "HomeIdentity"],
            reason: "What a relay and its clients say is bytes and keys; a relay never learns of homes."
        ),
        Border(
            target: "Relay",
            allowed: [
                "Consensus", "GRDB", "HTTPTypes", "HomeIdentity", "HummingbirdCore", "Logging", "Metrics", "NIOCore",
                "NIOHTTPTypes", "RelayAPI", "TLS", "WebServer",
            ],
            reason: "A relay keeps what it can't read, so it pulls in nothing that could."
        ),
        Border(
            target: "RelayPostgres",
            allowed: ["Consensus", "HomeIdentity", "RelayAPI"],
            reason: "A store keeps bytes; who asks for them is the relay's affair."
        ),
        Border(
            target: "RelayClient",
            allowed: nio.union(["Consensus", "HomeIdentity", "NIOHTTP1", "RelayAPI", "TLS"]),
            reason: "A client asks a relay; what the entries say is its user's affair."
        ),
        Border(
            target: "HubNetwork",
            allowed: nio.union(["HomeIdentity", "HubAPI", "LocalRPC", "LocalRPCSockets", "Logging", "TLS"]),
            reason: "Both ends of a link carry messages between keys; whose keys they are is the hub's to say."
        ),
        Border(
            target: "HubServer",
            allowed: nio.union([
                "Consensus", "Crypto", "DNSSD", "HAPCatalog", "HTTPTypes", "HomeHub", "HomeIdentity", "HomeModel",
                "HomePage", "HubAPI", "HubClient", "HubNetwork", "HummingbirdCore", "LocalRPC", "LocalRPCSockets",
                "Logging", "ModelContext", "NIOHTTP1", "NIOHTTPTypes", "RelayAPI", "RelayClient", "Replication",
                "SealedFeed", "TLS", "WebServer", "Wyoming",
            ]),
            reason: "A carrier of the hub's methods has no way around them."
        ),
        Border(target: "HomePage", allowed: [], reason: "The page is files."),
        Border(
            target: "PrometheusMetrics",
            allowed: ["Metrics"],
            reason: "What is measured is nothing to the text in which it is told."
        ),
        Border(
            target: "HomeAgent",
            allowed: [
                "Crypto", "DNSSD", "FolderAccess", "GRDB", "HAP", "HAPCatalog", "HomeIdentity", "HomeModel", "HubAPI",
                "HubClient", "HubNetwork", "LocalRPC", "LocalRPCSockets", "Logging", "NIOCore", "RelayAPI",
                "RelayClient", "SealedFeed",
            ],
            reason: "An agent is a hub's client with a copy; it knows no hub's inside."
        ),
        Border(target: "CoreLocation", allowed: [], reason: "It stands for Apple's module, which knows no homes."),
        Border(
            target: "HomeKit",
            allowed: ["CoreLocation", "HAPCatalog", "HomeModel", "HubAPI", "HubClient", "LocalRPCSockets"],
            reason: "The facade does not think, and apps that use it pull in little."
        ),
        Border(
            target: "ExternalAccessory",
            allowed: ["HomeKit", "HubAPI"],
            reason: "The facade shares HomeKit's link to the hub, which hands over networks."
        ),
        Border(
            target: "MediaRouting",
            allowed: [
                "AirPlay", "AirPlayNetwork", "AppleLossless", "DNSSD", "DesktopMedia", "HAP", "LocalRPC",
                "LocalRPCSockets", "SoundCard",
            ],
            reason:
                "Apps' audio finds its receiver, or this computer's card, without a hub, and shows to others what plays."
        ),
        Border(target: "CoreMedia", allowed: [], reason: "Times and samples are values that apps calculate with."),
        Border(
            target: "AVFoundation",
            allowed: ["AirPlay", "CoreMedia", "MediaRouting"],
            reason: "Players make samples; how they reach a receiver is the route's affair."
        ),
        Border(
            target: "AVKit",
            allowed: ["AirPlay", "AirPlayNetwork", "AVFoundation", "MediaRouting"],
            reason: "A picker shows the receivers that routes find."
        ),
        Border(
            target: "MediaPlayer",
            allowed: ["AirPlay", "MediaRouting"],
            reason: "What an app reports and is told concerns its route, whatever plays."
        ),
        Border(
            target: "AccessorySimulator",
            allowed: ["HAP", "HAPCatalog", "HAPClient", "HAPServer", "LocalRPC", "WirelessSetup"],
            reason: "Simulated accessories, and the apps of a scenario, are on the real wire and know no hub."
        ),
        Border(
            target: "HomeScenarios",
            allowed: [
                "AccessorySimulator", "DNSSD", "HAP", "HAPCatalog", "HAPClient", "HomeHub", "HomeModel", "HomeText",
                "HubAPI", "HubClient", "Logging",
            ],
            reason: "A scenario's home joins a hub and simulated accessories, which know nothing of each other."
        ),
        Border(
            target: "HomeKitTesting",
            allowed: [
                "AccessorySimulator", "DNSSD", "HAP", "HAPCatalog", "HAPClient", "HAPServer", "HomeHub", "HomeKit",
                "HomeModel", "HomeScenarios", "HubAPI", "HubClient", "Logging", "NIOCore", "Testing",
            ],
            reason: "A home in a test is all of Hearth in one process, without HTTP."
        ),
    ]

    static let system: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Swift", "Synchronization",
    ]

    @Test(arguments: borders)
    func aTargetImportsOnlyWhatItsBorderAllows(border: Border) throws {
        let imports = try Self.imports(of: border.target)
        #expect(!imports.isEmpty || border.allowed.isEmpty, "no sources found")
        for (module, file) in imports where !border.allowed.contains(module) && !Self.system.contains(module) {
            Issue.record("\(file) imports \(module). \(border.reason)")
        }
    }

    @Test func everyTargetHasABorder() throws {
        let targets = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        // The command line puts everything together.
        #expect(Set(targets) == Set(Self.borders.map(\.target)).union(["hearth"]))
    }

    /// The fuzzers' package links to the sources, and is built only to fuzz.
    @Test func theFuzzersHaveWhatTheirSourcesImport() throws {
        let folder = Self.root.appending(path: "Fuzzing")
        let manifest = try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
        let targets = Set(Self.borders.map(\.target))
        let linked = try targets.intersection(
            FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Sources").path)
        )
        #expect(!linked.isEmpty)
        for target in linked {
            #expect(manifest.contains("name: \"\(target)\""), "Fuzzing/Package.swift has no \(target)")
            let missing = try targets.intersection(Self.imports(of: target).keys).subtracting(linked)
            #expect(missing.isEmpty, "\(target) imports \(missing.sorted()), which Fuzzing/Sources lacks")
        }
    }

    @Test func noProductNeedsUnsafeFlags() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        #expect(!manifest.contains("unsafeFlags"))
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md"])
    func pathsThatTheDocumentsNameExist(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let paths = text.matches(of: /`((?:Sources|Tests|Examples|Documentation|Scripts|Tools)(?:\/[\w.+-]+)*)\/?`/)
        #expect(!paths.isEmpty)
        for path in paths.map({ String($0.1) }) {
            let exists = FileManager.default.fileExists(atPath: Self.root.appending(path: path).path)
            #expect(exists, "\(document) names \(path), which is not there")
        }
    }

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The modules that a target's files import, each with one file that does.
    private static func imports(of target: String) throws -> [String: String] {
        let folder = root.appending(path: "Sources/\(target)")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var imports: [String: String] = [:]
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                // In a debug build the expression takes long, and few lines have the word.
                guard line.contains("import"), let match = line.firstMatch(of: Self.importLine) else { continue }
                imports[String(match.1)] = file.lastPathComponent
            }
        }
        return imports
    }

    private static var importLine: Regex<(Substring, Substring)> {
        /^\s*(?:@\w+(?:\(.*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var)\s+)?(\w+)/
    }
}
