import HomeModel
import HubAPI

extension HubError {
    /// Creates an error with the code and the reason of a violated rule of the home.
    init(_ error: HomeError) {
        self.init(Code(rawValue: error.code.rawValue), error.reason)
    }
}
