/// A report for people.
struct DiscoveryReportText {
    private let report: DiscoveryReport

    init(_ report: DiscoveryReport) {
        self.report = report
    }

    /// Prints it.
    func print() {
        printSurroundings()
        heading("Findings")
        for finding in report.findings {
            let place = finding.interface.map { " on \($0)" } ?? ""
            let sort = finding.isProblem ? "problem" : "note"
            ProgramOutput.line("  \(sort): \(finding.code.rawValue)\(place): \(finding.text)")
            ProgramOutput.line("    to do: \(finding.advice)")
        }
        if report.findings.isEmpty { ProgramOutput.line("  none") }
    }

    /// Prints what was seen, without what that means.
    func printSurroundings() {
        heading("Interfaces")
        var interfaces = Table()
        for interface in report.interfaces {
            interfaces.add(
                interface.name,
                state(of: interface),
                interface.addresses.joined(separator: " "),
                use(of: interface)
            )
        }
        interfaces.print(indented: true)

        heading("Programs on UDP port 5353")
        for user in report.portUsers {
            let process = user.process.map { "\($0) (process \(user.id ?? 0))" } ?? "unknown; root may see it"
            ProgramOutput.line("  \(process), account \(user.user), on \(user.addresses.joined(separator: " "))")
        }
        if report.portUsers.isEmpty { ProgramOutput.line("  none but this one") }

        heading("Accessories on the network")
        var accessories = Table()
        for accessory in report.accessories {
            accessories.add(
                accessory.interface,
                accessory.name,
                accessory.id ?? "without id",
                accessory.isPaired ? "paired" : "not paired",
                "port \(accessory.port)",
                accessory.addresses.joined(separator: " ")
            )
        }
        accessories.print(indented: true)
        if report.accessories.isEmpty { ProgramOutput.line("  none") }
    }

    private func heading(_ text: String) {
        ProgramOutput.line("\(text):")
    }

    private func state(of interface: DiscoveryReport.Interface) -> String {
        guard interface.isUp else { return "off" }
        guard interface.isRunning else { return "no connection" }
        var words: [String] = []
        if interface.isLoopback { words.append("loopback") }
        if interface.isPointToPoint { words.append("point to point") }
        if !interface.isLoopback, !interface.supportsMulticast { words.append("no multicast") }
        if interface.belongsToContainers { words.append("of containers") }
        return words.isEmpty ? "on" : "on, \(words.joined(separator: ", "))"
    }

    private func use(of interface: DiscoveryReport.Interface) -> String {
        guard let traffic = interface.traffic else { return "not used" }
        let versions = [traffic.usesIPv4 ? "IPv4" : nil, traffic.usesIPv6 ? "IPv6" : nil].compactMap { $0 }
        let others = traffic.sources.isEmpty ? "nobody" : traffic.sources.joined(separator: " ")
        return """
            \(versions.joined(separator: " and ")): sent \(traffic.sent), \(traffic.ownHeard) came back, \
            heard \(traffic.heard) of \(others)
            """
    }
}
