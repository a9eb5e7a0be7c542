// A test that says `import HomeKitTesting` gets Apple's API and the words in which accessories are described.
@_exported public import AccessorySimulator
@_exported public import HAPCatalog
@_exported public import HAPServer
@_exported public import HomeKit
