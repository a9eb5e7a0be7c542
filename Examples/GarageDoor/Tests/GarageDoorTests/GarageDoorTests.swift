import Foundation
import GarageDoor
import HomeKitTesting
import Testing

/// The app in test homes. Its store is static, so each test home applies to the whole process.
@MainActor
@Suite(.serialized)
struct GarageDoorTests {
    /// A home with the garage door and another manufacturer's lamp, and the app.
    private func withApp(_ body: (TestHome, TestAccessory, Screen) async throws -> Void) async throws {
        try await withTestHome(scope: .process) { home in
            let door = try await home.add(file: Self.file, to: "Garage")
            try await home.add(.lamp("Desk Lamp"))
            let list = TileList()
            try await home.until("the app shows two tiles", is: 2) { list.tiles.count }
            try await body(home, door, Screen(list))
        }
    }

    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "DemoHome/garage-door-opener.json").path

    @Test func theTilesAreTheMakersServices() async throws {
        try await withApp { _, _, screen in
            #expect(
                screen.tiles == """
                    1  Garage Door      Garage            Closed
                    2  Light            Garage            Off
                    """
            )
        }
    }

    @Test func aTapTurnsTheLightOnAndOff() async throws {
        try await withApp { _, door, screen in
            #expect(await screen.run("2") == "2  Light            Garage            On")
            let lit = try await door[\.on]
            #expect(lit == true)
            #expect(await screen.run("2") == "2  Light            Garage            Off")
            let dark = try await door[\.on]
            #expect(dark == false)
        }
    }

    @Test func aTapOpensTheDoorWhichTakesItsTime() async throws {
        try await withApp { home, _, screen in
            _ = await screen.run("1")
            try await home.until("it opens") { screen.tiles.contains("Opening") }
            try await home.clock.advance(by: .seconds(2))
            try await home.until("it is open") { screen.tiles.contains("Open\n") }
        }
    }

    @Test func whatAPersonDoesAtTheDoorShows() async throws {
        try await withApp { home, door, screen in
            try await door.set(\.on, to: true)
            try await home.until("the light is on") { screen.tiles.hasSuffix("On") }
            await door.switchOff()
            try await home.until("there is no response") { screen.tiles.hasSuffix("No Response") }
        }
    }

    @Test func theDetailShowsWhatNoOtherAppKnows() async throws {
        try await withApp { _, door, screen in
            let detail = try #require(await screen.run("show 2"))
            #expect(detail.contains("Manufacturer                  Kilgo Devices, Inc."))
            #expect(detail.contains("Firmware                      1.0.0"))
            #expect(detail.hasSuffix("Fade Rate                     0 s"))
            _ = await screen.run("set 2 fade rate 0.5")
            #expect(try await door["7E536242-341C-4862-BE90-272CE15BD633"] == 0.5)
            #expect(await screen.run("set 2 fade rate fast") == "Can't set fade rate to fast.")
            #expect(await screen.run("show 2")?.hasSuffix("Fade Rate                     0.5 s") == true)
            #expect(await screen.run("set 2 color 3") == "Can't set color to 3.")
        }
    }

    @Test func theDetailSpeaksInWords() async throws {
        try await withApp { home, door, screen in
            let detail = try #require(await screen.run("show 1"))
            #expect(detail.contains("Current Door State            Closed\nTarget Door State             Closed"))
            #expect(detail.contains("Obstruction Detected          No"))
            #expect(detail.contains("Target Lock Mechanism State   Unlocked"))
            _ = await screen.run("set 1 target door state OPEN")
            #expect(try await door[\.targetDoorState] == 0)
            for refused in ["target door state ajar", "current door state open"] {
                #expect(await screen.run("set 1 \(refused)")?.hasPrefix("Can't set ") == true)
            }
            _ = await screen.run("set 2 power state on")
            #expect(try await door[\.on] == true)
        }
    }

    @Test func namesAndRoomsChangeForEveryApp() async throws {
        try await withApp { home, _, screen in
            let other = try await home.app("other").home()
            _ = await screen.run("rename 2 Ceiling")
            _ = await screen.run("room 2 Winter Garden")
            #expect(await screen.run("room 1") == "\(other.roomForEntireHome().name)\nGarage\nWinter Garden")
            _ = await screen.run("room 1 garage")
            #expect(screen.tiles.contains("Ceiling          Garage"))
            _ = await screen.run("room 1 Winter Garden")
            #expect(
                screen.tiles == """
                    1  Ceiling          Winter Garden     Off
                    2  Garage Door      Winter Garden     Closed
                    """
            )
            let rooms = other.accessories.map { $0.room?.name }
            try await home.until("the other app knows", is: ["Winter Garden", other.roomForEntireHome().name]) {
                other.accessories.map { $0.room?.name }
            }
            #expect(rooms.count == 2)
        }
    }

    @Test func whatAnotherAppRemovesIsGone() async throws {
        try await withApp { home, _, screen in
            let other = try await home.app("other").home()
            try await other.removeAccessory(try #require(other.accessories.first))
            try await home.until("nothing is left") { screen.tiles.hasPrefix("No device of Kilgo") }
        }
    }

    @Test func aDoorIsRemovedAndAddedAgain() async throws {
        try await withApp { home, _, screen in
            #expect(await screen.run("remove 1")?.hasPrefix("No device of Kilgo") == true)
            try await home.until("it can be added") {
                await screen.run("add")?.contains("Garage Door") == true
            }
        }
    }

    @Test func anErrorOfTheDoorIsShown() async throws {
        try await withApp { _, door, screen in
            try await door.inject(Fault(.status(.unableToPerform, .all)), into: \.on)
            let answer = try #require(await screen.run("2"))
            #expect(answer != "2  Light            Garage            On" && !answer.isEmpty)
            #expect(try await door[\.on] == false)
        }
    }

    @Test func whatIsNoCommandGetsHelp() async throws {
        try await withApp { _, _, screen in
            #expect(await screen.run("show 3") == "No tile has that number.")
            #expect(await screen.run("paint 1")?.contains("rename NUMBER NAME") == true)
            #expect(await screen.run("quit") == nil)
        }
    }
}
