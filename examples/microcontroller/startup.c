/* What a Cortex-M4F needs before C: a stack, the address of the first instruction, the floating-point unit switched on. Behind it
 * stands newlib's _start. The linker puts .vectors at address 0. */
#include <stdint.h>

extern void _start(void);

static void reset(void) {
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: coprocessors 10 and 11 */
    __asm__ volatile("dsb\n\tisb");
    _start();
}

static const struct {
    uintptr_t stack;
    void (*reset)(void);
} vectors __attribute__((section(".vectors"), used)) = {0x00400000u, reset};
