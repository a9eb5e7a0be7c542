/// Prints a discovery report.
struct DiscoveryReportText {
    private let report: DiscoveryReport

    init(_ report: DiscoveryReport) {
        self.report = report
    }

    /// Prints the observations, then the findings.
    func print() {
        printObservations()
        heading("Findings")
        for finding in report.findings {
            let location = finding.interface.map { " on \($0)" } ?? ""
            let kind = finding.isProblem ? "problem" : "note"
            ProgramOutput.line("  \(kind): \(finding.code.rawValue)\(location): \(finding.text)")
            ProgramOutput.line("    next step: \(finding.advice)")
        }
        if report.findings.isEmpty { ProgramOutput.line("  none") }
    }

    /// Prints the interfaces, the programs on the port and the accessories, without findings.
    func printObservations() {
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
            let process = user.process.map { "\($0) (process \(user.id ?? 0))" } ?? "unknown (visible to root)"
            ProgramOutput.line("  \(process), user \(user.user), on \(user.addresses.joined(separator: " "))")
        }
        if report.portUsers.isEmpty { ProgramOutput.line("  only this one") }

        heading("Accessories on the network")
        var accessories = Table()
        for accessory in report.accessories {
            accessories.add(
                accessory.interface,
                accessory.name,
                accessory.id ?? "no ID",
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
        guard interface.isRunning else { return "no link" }
        var words: [String] = []
        if interface.isLoopback { words.append("loopback") }
        if interface.isPointToPoint { words.append("point to point") }
        if !interface.isLoopback, !interface.supportsMulticast { words.append("no multicast") }
        if interface.belongsToContainers { words.append("for containers") }
        return words.isEmpty ? "on" : "on, \(words.joined(separator: ", "))"
    }

    private func use(of interface: DiscoveryReport.Interface) -> String {
        guard let traffic = interface.traffic else { return "not used" }
        let versions = [traffic.usesIPv4 ? "IPv4" : nil, traffic.usesIPv6 ? "IPv6" : nil].compactMap { $0 }
        let others = traffic.sources.isEmpty ? "no host" : traffic.sources.joined(separator: " ")
        return """
            \(versions.joined(separator: " and ")): sent \(traffic.sent), \(traffic.ownHeard) looped back, \
            received \(traffic.heard) from \(others)
            """
    }
}
