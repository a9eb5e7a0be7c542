// What libFuzzer offers to a program that has its own main.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t size));
