import HubAPI

extension QuestionDesk {
    /// Registers the methods about questions.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.questions) { _, session in
            // First the wish, then the list: a question of the moment between shows in both rather than in none.
            session.watchesQuestions = true
            return .done(Questions(questions: await self.waiting))
        }
        router.on(HubMethods.answerQuestion) { (parameters, _) async throws(HubError) in
            try await self.answer(parameters.id, parameters.answer)
            return .done(Done())
        }
        router.on(HubMethods.declineQuestion) { (parameters, _) async throws(HubError) in
            try await self.decline(parameters.id)
            return .done(Done())
        }
    }
}
