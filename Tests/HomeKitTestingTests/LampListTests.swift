import HomeKitTesting
import Testing

@Suite struct LampListTests {
    @Test func theExampleListsTheLamps() async throws {
        try await withTestHome { home in
            try await home.add(.lamp("Desk"), to: "Study")
            let list = LampList()
            try await home.until("the list has the lamp", is: ["Desk in Study"]) { list.lamps }
        }
    }
}
