import HubAPI

/// Finds what the troubles of a house have in common, and says it once.
struct HomeDiagnosisRules {
    let accessories: [HomeDiagnosis.Accessory]
    let discovery: [DiscoveryFinding]

    /// What says that nobody was met, rather than somebody who refuses. Of one that the hub is still connecting to nothing
    /// is known.
    private static let silences: Set<AccessoryTrouble> = [.notAdvertised, .timedOut, .noRoute]

    /// What says that this command met nobody on the network.
    private static let solitudes: Set<String> = Set(
        [DiscoveryFinding.Code.noUsableInterface, .nobodyHeard, .containerNetwork].map(\.rawValue)
    )

    /// What is the matter: what stands around the hub first, for it explains what comes after it, then what is shared by
    /// most.
    var findings: [HomeDiagnosisFinding] {
        let around = surroundings
        return around.filter(\.isProblem) + ofAccessories + remarks + around.filter { !$0.isProblem }
    }

    /// What stands around the hub. Where the hub reaches accessories, it met somebody: it may use an interface that this
    /// command does not.
    private var surroundings: [HomeDiagnosisFinding] {
        let isAlone = !servers.contains(where: \.isReachable)
        return discovery.map { finding in
            var finding = HomeDiagnosisFinding(finding)
            if !isAlone, Self.solitudes.contains(finding.code) { finding.isProblem = false }
            return finding
        }
    }

    /// Those that have a connection of their own: bridges and what is behind none.
    private var servers: [HomeDiagnosis.Accessory] { accessories.filter { $0.bridge == nil } }

    private var ofAccessories: [HomeDiagnosisFinding] {
        let lost = servers.filter { !$0.isReachable }
        let blocked = lost.filter { $0.trouble == .blocked }
        let silent = lost.filter { $0.trouble.map(Self.silences.contains) ?? false }
        if silent.count > 1, silent.count + blocked.count == servers.count {
            let text = "None of the home's accessories answers."
            let advice = """
                Look at what they have in common: the router, the access point, the power, and the network of the hub's \
                machine.
                """
            let finding = HomeDiagnosisFinding(
                "networkSilent",
                isProblem: true,
                text,
                advice: advice,
                accessories: silent.map(named)
            )
            return [finding] + groups(of: blocked)
        }
        // What is behind a bridge that cannot be reached goes without saying.
        let bridges = Set(servers.filter(\.isReachable).map(\.id))
        let behind = accessories.filter { !$0.isReachable && $0.bridge.map(bridges.contains) ?? false }
        return groups(of: lost + behind)
    }

    /// One finding for each trouble, that of the most accessories first.
    private func groups(of lost: [HomeDiagnosis.Accessory]) -> [HomeDiagnosisFinding] {
        let groups = Dictionary(grouping: lost) { $0.trouble ?? AccessoryTrouble(rawValue: "notReachable") }
        return groups.sorted { (-weight($0.value), $0.key.rawValue) < (-weight($1.value), $1.key.rawValue) }.map {
            trouble,
            accessories in
            // What was seen of a single one is worth telling.
            HomeDiagnosisFinding(
                trouble,
                isProblem: trouble != .connecting && trouble != .blocked,
                text: accessories.count == 1 ? accessories[0].cause : nil,
                of: accessories.map(named)
            )
        }
    }

    private func weight(_ accessories: [HomeDiagnosis.Accessory]) -> Int {
        accessories.reduce(0) { sum, accessory in sum + 1 + behind(accessory) }
    }

    private func named(_ accessory: HomeDiagnosis.Accessory) -> String {
        let count = behind(accessory)
        return count == 0 ? accessory.name : "\(accessory.name) with \(count) behind it"
    }

    private func behind(_ bridge: HomeDiagnosis.Accessory) -> Int {
        accessories.count { $0.bridge == bridge.id }
    }

    private var remarks: [HomeDiagnosisFinding] {
        let pairs = accessories.flatMap { accessory in accessory.remarks.map { ($0, accessory.name) } }
        return Dictionary(grouping: pairs, by: \.0).sorted { $0.key.rawValue < $1.key.rawValue }.map { trouble, pairs in
            HomeDiagnosisFinding(trouble, isProblem: false, of: pairs.map(\.1))
        }
    }
}
