// Clients and parts of the hub need the messages that carry its methods: a file that imports HubAPI has both.
@_exported public import LocalRPC
