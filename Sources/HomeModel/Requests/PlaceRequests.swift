package import Foundation

/// Sets the home's place, or removes it.
package struct SetHomePlace: HomeRequest, Codable {
    /// The place; `nil` removes it.
    package var place: Place?

    /// Creates a request.
    package init(_ place: Place?) {
        self.place = place
    }

    package func change(in home: Home, by caller: Caller, at now: Date) throws(HomeError) -> Change? {
        try home.setPlace(place)
    }
}
