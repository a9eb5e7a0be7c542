import HubAPI

/// Finds the problems that accessories of a home share, and reports each once.
struct HomeDiagnosisRules {
    let accessories: [HomeDiagnosis.Accessory]
    let discovery: [DiscoveryFinding]

    /// The problems where nothing answered at all. This excludes `connecting`, whose outcome is still unknown.
    private static let silences: Set<AccessoryTrouble> = [.notAdvertised, .timedOut, .noRoute]

    /// The discovery findings where this command received no other host.
    private static let isolationCodes: Set<String> = Set(
        [DiscoveryFinding.Code.noUsableInterface, .nobodyHeard, .containerNetwork].map(\.rawValue)
    )

    /// The findings: problems of the network first, because they explain later ones, then those that affect the most
    /// accessories.
    var findings: [HomeDiagnosisFinding] {
        let network = networkFindings
        return network.filter(\.isProblem) + ofAccessories + remarks + network.filter { !$0.isProblem }
    }

    /// The findings of the discovery check. If the hub reaches accessories, isolation isn't a problem: the hub may use
    /// an interface that this command doesn't.
    private var networkFindings: [HomeDiagnosisFinding] {
        let isAlone = !servers.contains(where: \.isReachable)
        return discovery.map { finding in
            var finding = HomeDiagnosisFinding(finding)
            if !isAlone, Self.isolationCodes.contains(finding.code) { finding.isProblem = false }
            return finding
        }
    }

    /// The accessories with their own connection: bridges and accessories that aren't bridged.
    private var servers: [HomeDiagnosis.Accessory] { accessories.filter { $0.bridge == nil } }

    private var ofAccessories: [HomeDiagnosisFinding] {
        let lost = servers.filter { !$0.isReachable }
        let blocked = lost.filter { $0.trouble == .blocked }
        let silent = lost.filter { $0.trouble.map(Self.silences.contains) ?? false }
        if silent.count > 1, silent.count + blocked.count == servers.count {
            let text = "None of the home's accessories answer."
            let advice = """
                Check what they share: the router, the access point, the power, and the network of the hub's machine.
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
        // A bridge that isn't reachable implies its bridged accessories.
        let bridges = Set(servers.filter(\.isReachable).map(\.id))
        let bridged = accessories.filter { !$0.isReachable && $0.bridge.map(bridges.contains) ?? false }
        return groups(of: lost + bridged)
    }

    /// Returns one finding per problem. The problem with the most accessories comes first.
    private func groups(of lost: [HomeDiagnosis.Accessory]) -> [HomeDiagnosisFinding] {
        let groups = Dictionary(grouping: lost) { $0.trouble ?? AccessoryTrouble(rawValue: "notReachable") }
        return groups.sorted { (-weight($0.value), $0.key.rawValue) < (-weight($1.value), $1.key.rawValue) }.map {
            trouble,
            accessories in
            // For a single accessory, show the details of its cause.
            HomeDiagnosisFinding(
                trouble,
                isProblem: trouble != .connecting && trouble != .blocked,
                text: accessories.count == 1 ? accessories[0].cause : nil,
                of: accessories.map(named)
            )
        }
    }

    private func weight(_ accessories: [HomeDiagnosis.Accessory]) -> Int {
        accessories.reduce(0) { sum, accessory in sum + 1 + bridgedCount(of: accessory) }
    }

    private func named(_ accessory: HomeDiagnosis.Accessory) -> String {
        let count = bridgedCount(of: accessory)
        guard count > 0 else { return accessory.name }
        return "\(accessory.name) with \(count) bridged accessor\(count == 1 ? "y" : "ies")"
    }

    private func bridgedCount(of bridge: HomeDiagnosis.Accessory) -> Int {
        accessories.count { $0.bridge == bridge.id }
    }

    private var remarks: [HomeDiagnosisFinding] {
        let pairs = accessories.flatMap { accessory in accessory.remarks.map { ($0, accessory.name) } }
        return Dictionary(grouping: pairs, by: \.0).sorted { $0.key.rawValue < $1.key.rawValue }.map { trouble, pairs in
            HomeDiagnosisFinding(trouble, isProblem: false, of: pairs.map(\.1))
        }
    }
}
