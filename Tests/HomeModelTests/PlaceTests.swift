import Foundation
import HubAPI
import Testing

@testable import HomeModel

/// The home's place on the map.
struct PlaceTests {
    private static let berlin = Place(latitude: 52.52, longitude: 13.405)

    @Test func placeIsSetOnceAndRemoved() throws {
        var test = TestHome()
        #expect(test.home.place == nil)
        #expect(try test.ask(SetHomePlace(Self.berlin))?.verb == .homePlaceChanged)
        #expect(test.home.place == Self.berlin)
        #expect(try test.ask(SetHomePlace(Self.berlin)) == nil)
        #expect(Home(id: test.home.id, records: test.home.records).place == Self.berlin)
        try test.ask(SetHomePlace(nil))
        #expect(test.home.place == nil)
    }

    @Test(arguments: [
        (90, 180), (-90, -180), (90.001, 0), (-90.001, 0), (0, 180.001), (0, -180.001), (.nan, 0), (0, .infinity),
    ])
    func placeMustBeOnTheMap(latitude: Double, longitude: Double) {
        let isValid = abs(latitude) <= 90 && abs(longitude) <= 180
        let request = SetHomePlace(Place(latitude: latitude, longitude: longitude))
        #expect(TestHome().refusal(of: request) == (isValid ? nil : .invalidParameter))
    }

    @Test func onlyAdministratorsSetThePlace() {
        let test = TestHome()
        #expect(test.refusal(of: SetHomePlace(Self.berlin), by: test.administrator) == nil)
        #expect(test.refusal(of: SetHomePlace(Self.berlin), by: test.guest) == .insufficientPrivileges)
    }

    @Test func appsDoNotSeeThePlace() throws {
        var test = TestHome()
        let change = try #require(try test.ask(SetHomePlace(Self.berlin)))
        let app = Projection.test(test.owner.user)
        let person = Projection.test(test.owner.user, .person)
        #expect(app.state(of: test.home).homes[test.home.id]?.place == nil)
        #expect(person.state(of: test.home).homes[test.home.id]?.place == Self.berlin)
        let seen = String(
            decoding: try JSONEncoder().encode(app.change(change, in: .home(test.home.id), as: .owner)),
            as: UTF8.self
        )
        #expect(!seen.contains("52.5"))
    }

    @Test func importBringsThePlace() throws {
        var source = TestHome()
        try source.ask(SetHomePlace(Self.berlin))
        var target = TestHome(like: source.home)
        let outcome = try target.importing(source.home)
        #expect(target.home.place == Self.berlin)
        #expect(outcome.items.first { $0.kind == .home }?.remarks == ["gets a place"])
        let change = try #require(outcome.change)
        let steps = Home.steps(of: change, from: TestHome(like: source.home).home, to: target.home)
        #expect(steps.map(\.verb) == [.homePlaceChanged])
        #expect(try target.importing(source.home).change == nil)
    }

    @Test func importWithoutAPlaceLeavesThePlace() throws {
        let source = TestHome()
        var target = TestHome(like: source.home)
        try target.ask(SetHomePlace(Self.berlin))
        #expect(try target.importing(source.home).change == nil)
        #expect(target.home.place == Self.berlin)
    }

    @Test func importOfAPlaceOffTheMapIsRefused() throws {
        var source = TestHome()
        try source.ask(SetHomePlace(Place(latitude: 10, longitude: 13.405)))
        let text = try HomeExport.text(of: source.home).replacing(#""latitude":10"#, with: #""latitude":91"#)
        #expect(HomeExport.refusal(of: text)?.code == .exportDamaged)
    }
}
