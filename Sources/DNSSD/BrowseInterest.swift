/// The services that a browse looks for.
enum BrowseInterest: Hashable, Sendable {
    /// The services of a type or subtype.
    case scope(BrowseScope)
    /// One service by name, listed or not.
    case instance(ServiceInstance)

    /// The type of the services.
    var type: ServiceType {
        switch self {
        case .scope(let scope): scope.type
        case .instance(let instance): instance.type
        }
    }
}
