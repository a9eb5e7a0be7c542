import HomeModel
import HubAPI

extension HubError {
    /// A broken rule of the home, under its own name.
    init(_ error: HomeError) {
        self.init(Code(rawValue: error.code.rawValue), error.reason)
    }
}
