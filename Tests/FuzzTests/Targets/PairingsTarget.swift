import HAP

extension FuzzTarget {
    /// Requests of controllers to `/pairings`, and the resulting list.
    static let pairings = FuzzTarget("pairings", maximumLength: 512) { input throws(Violation) in
        var plan = PlanReader(input)
        var list = PairingList([PairingPeers.pairing])
        var isSomethingTaken = false
        while !plan.isAtEnd {
            let request: PairingsRequest
            if plan.byte() < 0x40 {
                let body = plan.block()
                try checkResponse(body)
                guard let decoded = try? PairingsRequest(decoding: body) else { continue }
                request = decoded
            } else {
                request = wellFormed(&plan)
            }
            isSomethingTaken = true
            try hold((try? PairingsRequest(decoding: request.encoded())) == request, "a request is read as written")
            let controller = plan.byte() < 0xC0 ? PairingPeers.pairing.controllerID : id(plan.byte())
            try check(request, from: controller, list: &list)
        }
        return isSomethingTaken
    }

    /// Returns a well-formed request. There are only a few IDs and keys, so that they repeat.
    private static func wellFormed(_ plan: inout PlanReader) -> PairingsRequest {
        let id = id(plan.byte())
        switch plan.choice(of: 6) {
        case 0: return .list
        case 1: return .remove(id)
        case 2: return .remove(PairingPeers.pairing.controllerID)
        default:
            let key = LongTermPublicKey(Array(repeating: 2 + (plan.byte() & 1), count: LongTermPublicKey.length))
            guard let key else { return .list }
            let permissions: PairingPermissions = plan.byte() & 1 == 0 ? .user : .admin
            return .add(Pairing(controllerID: id, publicKey: key, permissions: permissions))
        }
    }

    private static func id(_ number: UInt8) -> PairingID {
        PairingID("controller \(number % 20)") ?? PairingPeers.pairing.controllerID
    }

    private static func check(
        _ request: PairingsRequest,
        from controller: PairingID,
        list: inout PairingList
    ) throws(Violation) {
        let before = list
        let outcome = list.handle(request, from: controller)
        try hold(list.isEmpty || list.pairings.contains { $0.permissions == .admin }, "an admin can manage the list")
        try hold(list.pairings.count <= list.capacity, "the list is limited")
        try hold(!list.pairings.contains { $0.publicKey.isOfSmallOrder }, "keys aren't of small order")
        try hold(Set(list.pairings.map(\.controllerID)).count == list.pairings.count, "controllers are unique")
        try hold(outcome.isChanged == (list != before), "a change is reported")
        let removed = before.pairings.map(\.controllerID).filter { list[$0] == nil }
        try hold(outcome.removed == removed, "removed controllers are reported")
        if before[controller]?.permissions != .admin {
            try hold(outcome.response == .refused(.authentication) && list == before, "only admins are authorized")
        }
        let reply = try? PairingsResponse(decoding: outcome.response.encoded(), to: request)
        if case .refused = outcome.response {
            try hold(reply == nil && list == before, "a refusal changes nothing")
        } else {
            try hold(reply == outcome.response, "a reply is read as written")
        }
    }

    /// Checks a reply from any source, as read by a controller.
    private static func checkResponse(_ body: [UInt8]) throws(Violation) {
        guard let response = try? PairingsResponse(decoding: body, to: .list) else { return }
        let again = try? PairingsResponse(decoding: response.encoded(), to: .list)
        try hold(again == response, "a list is read as written")
    }
}
