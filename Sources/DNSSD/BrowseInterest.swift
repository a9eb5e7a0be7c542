/// What a browse is about.
enum BrowseInterest: Hashable, Sendable {
    /// The services that are listed somewhere.
    case scope(BrowseScope)
    /// One service, listed or not.
    case instance(ServiceInstance)

    /// The type of the services.
    var type: ServiceType {
        switch self {
        case .scope(let scope): scope.type
        case .instance(let instance): instance.type
        }
    }
}
