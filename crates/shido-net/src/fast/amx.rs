//! The AMX unit: tile products in hardware.
//!
//! Whether it works is asked three times: the processor (CPUID leaf 7), what the
//! system saves (XCR0), and the kernel, which must permit a process to use tiles.
//! The leaves that describe the tiles are not read, since some hypervisors leave
//! them empty; the one palette there is has eight tiles of 16 rows of 64 bytes. The
//! self-test at the start is the fourth question.
#![allow(unsafe_code)] // Tile instructions have no intrinsics in stable Rust.

use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

use super::arithmetic::Precision;
use super::tile::{DEPTH, SIDE, TILE, Task, TileUnit};

/// Linux' `arch_prctl`, its request for a permission, and the number of the tiles.
const ARCH_PRCTL: i64 = 158;
const REQUEST_PERMISSION: u64 = 0x1023;
const TILE_DATA: u64 = 18;

/// The token of AMX with bf16.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amx(());

impl Amx {
    /// Returns the token if processor and system allow it.
    pub(super) fn detect() -> Option<Amx> {
        (processor_has_it() && system_saves_it() && kernel_permits_it()).then_some(Amx(()))
    }
}

fn processor_has_it() -> bool {
    // CPUID exists on every x86-64 processor.
    if __cpuid(0).eax < 7 {
        return false;
    }
    let features = __cpuid_count(7, 0).edx;
    let (bf16, tiles) = (1 << 22, 1 << 24);
    features & bf16 != 0 && features & tiles != 0
}

fn system_saves_it() -> bool {
    #[target_feature(enable = "xsave")]
    fn saved() -> u64 {
        // SAFETY: the caller has seen that XGETBV may be used.
        unsafe { _xgetbv(0) }
    }
    let osxsave = __cpuid(1).ecx & (1 << 27) != 0;
    // SAFETY: OSXSAVE says that XGETBV may be used. Bits 17 and 18: tiles and their shape.
    osxsave && unsafe { saved() } >> 17 & 3 == 3
}

#[cfg(target_os = "linux")]
fn kernel_permits_it() -> bool {
    let result: i64;
    // SAFETY: a system call that touches no memory of ours and asks for a
    // permission; it clobbers rcx and r11, as all do.
    unsafe {
        asm!(
            "syscall",
            inlateout("rax") ARCH_PRCTL => result,
            in("rdi") REQUEST_PERMISSION,
            in("rsi") TILE_DATA,
            out("rcx") _,
            out("r11") _,
            options(nostack),
        );
    }
    result == 0
}

#[cfg(not(target_os = "linux"))]
fn kernel_permits_it() -> bool {
    false
}

/// The shape of all tiles: palette 1, each 16 rows of 64 bytes.
#[repr(C, align(64))]
struct Shape([u8; 64]);

const SHAPE: Shape = {
    let mut shape = [0; 64];
    shape[0] = 1;
    let mut tile = 0;
    while tile < 8 {
        shape[16 + 2 * tile] = 64;
        shape[48 + tile] = 16;
        tile += 1;
    }
    Shape(shape)
};

impl TileUnit for Amx {
    fn begin(self) {
        // SAFETY: the token says tiles may be used; the shape is one they can have.
        unsafe {
            asm!("ldtilecfg [{}]", in(reg) &SHAPE, options(nostack, preserves_flags, readonly));
        };
    }

    fn end(self) {
        // SAFETY: the token. Without tiles a change of threads is cheaper.
        unsafe { asm!("tilerelease", options(nostack, preserves_flags, nomem)) };
    }

    fn multiply(self, task: &Task<'_>, out: &mut [f32]) {
        task.assert_room(out);
        // SAFETY: `assert_room` has checked all that is read and written, and `begin`
        // has given the tiles their shape.
        unsafe {
            match (task.rows, task.precision) {
                (3, _) => three(task, out.as_mut_ptr()),
                (2, Precision::Single) => two(task, out.as_mut_ptr()),
                (2, _) => two_exact(task, out.as_mut_ptr()),
                (_, Precision::Single) => one(task, out.as_mut_ptr()),
                _ => one_exact(task, out.as_mut_ptr()),
            }
        }
    }
}

/// Fills a tile with zeros.
macro_rules! zero {
    ($($tile:literal)*) => {
        $(asm!(concat!("tilezero ", $tile), options(nostack, preserves_flags, nomem));)*
    };
}

/// Loads a tile from rows `step` bytes apart.
macro_rules! load {
    ($tile:literal, $from:expr, $step:expr) => {
        asm!(
            concat!("tileloadd ", $tile, ", [{from} + {step}*1]"),
            from = in(reg) $from,
            step = in(reg) $step,
            options(nostack, preserves_flags, readonly),
        )
    };
}

/// Adds a product of two tiles to a third.
macro_rules! multiply {
    ($sum:literal, $rows:literal, $matrix:literal) => {
        asm!(
            concat!("tdpbf16ps ", $sum, ", ", $rows, ", ", $matrix),
            options(nostack, preserves_flags, nomem),
        )
    };
}

/// Stores a tile to rows `step` bytes apart.
macro_rules! store {
    ($tile:literal, $to:expr, $step:expr) => {
        asm!(
            concat!("tilestored [{to} + {step}*1], ", $tile),
            to = in(reg) $to,
            step = in(reg) $step,
            options(nostack, preserves_flags),
        )
    };
}

/// Bytes from row to row of a packed tile.
const ROW: usize = 64;

/// Calls `step` with the input's and the matrix' address for every tile of inputs.
#[inline(always)]
fn each_step(task: &Task<'_>, mut step: impl FnMut(*const u16, *const u16)) {
    let mut matrix = task.matrix.as_ptr();
    for &start in task.starts {
        for depth in 0..task.depth {
            let input = task.input.as_ptr().wrapping_add(start + depth * DEPTH);
            step(input, matrix);
            matrix = matrix.wrapping_add(TILE);
        }
    }
}

/// Three tiles of rows: the matrix, which comes from further away than the rows, is
/// read less often. Rows are loaded twice, forth and back, since six tiles hold sums.
///
/// # Safety
///
/// As [`TileUnit::multiply`] checks; so for those below.
unsafe fn three(task: &Task<'_>, out: *mut f32) {
    let step = task.stride * 2;
    let (middle, lower) = (SIDE * task.stride, 2 * SIDE * task.stride);
    let right = task.size;
    // SAFETY: the caller has checked the room.
    unsafe {
        zero!("tmm0" "tmm1" "tmm2" "tmm3" "tmm4" "tmm5");
        each_step(
            task,
            #[inline(always)]
            |input, matrix| {
                load!("tmm7", matrix, ROW);
                load!("tmm6", input, step);
                multiply!("tmm0", "tmm6", "tmm7");
                load!("tmm6", input.wrapping_add(middle), step);
                multiply!("tmm1", "tmm6", "tmm7");
                load!("tmm6", input.wrapping_add(lower), step);
                multiply!("tmm2", "tmm6", "tmm7");
                load!("tmm7", matrix.wrapping_add(right), ROW);
                multiply!("tmm5", "tmm6", "tmm7");
                load!("tmm6", input.wrapping_add(middle), step);
                multiply!("tmm4", "tmm6", "tmm7");
                load!("tmm6", input, step);
                multiply!("tmm3", "tmm6", "tmm7");
            },
        );
        let (out_step, below) = (task.out_stride * 4, SIDE * task.out_stride);
        store!("tmm0", out, out_step);
        store!("tmm3", out.add(SIDE), out_step);
        store!("tmm1", out.add(below), out_step);
        store!("tmm4", out.add(below + SIDE), out_step);
        store!("tmm2", out.add(2 * below), out_step);
        store!("tmm5", out.add(2 * below + SIDE), out_step);
    }
}

/// Two tiles of rows.
///
/// # Safety
///
/// As [`three`].
unsafe fn two(task: &Task<'_>, out: *mut f32) {
    let step = task.stride * 2;
    let lower = SIDE * task.stride;
    let right = task.size;
    // SAFETY: as above; tiles 0 to 3 are sums, 4 and 5 rows, 6 and 7 the matrix.
    unsafe {
        begin_two(task, out);
        each_step(
            task,
            #[inline(always)]
            |input, matrix| {
                load!("tmm4", input, step);
                load!("tmm6", matrix, ROW);
                multiply!("tmm0", "tmm4", "tmm6");
                load!("tmm7", matrix.wrapping_add(right), ROW);
                multiply!("tmm1", "tmm4", "tmm7");
                load!("tmm5", input.wrapping_add(lower), step);
                multiply!("tmm2", "tmm5", "tmm6");
                multiply!("tmm3", "tmm5", "tmm7");
            },
        );
        store_two(task, out);
    }
}

/// Two tiles of rows and weights in two elements, each loaded once for all its products.
///
/// # Safety
///
/// As [`three`].
unsafe fn two_exact(task: &Task<'_>, out: *mut f32) {
    let step = task.stride * 2;
    let lower = SIDE * task.stride;
    let (low, right) = (task.size, 2 * task.size);
    let rest = (task.precision == Precision::Both).then_some(task.inner);
    // SAFETY: as above; tiles 0 to 3 are sums, 4 and 5 rows, 6 and 7 the matrix.
    unsafe {
        begin_two(task, out);
        each_step(
            task,
            #[inline(always)]
            |input, matrix| {
                load!("tmm4", input, step);
                load!("tmm6", matrix.wrapping_add(low), ROW);
                multiply!("tmm0", "tmm4", "tmm6");
                load!("tmm7", matrix.wrapping_add(right + low), ROW);
                multiply!("tmm1", "tmm4", "tmm7");
                load!("tmm5", input.wrapping_add(lower), step);
                multiply!("tmm2", "tmm5", "tmm6");
                load!("tmm6", matrix, ROW);
                multiply!("tmm3", "tmm5", "tmm7");
                load!("tmm7", matrix.wrapping_add(right), ROW);
                multiply!("tmm0", "tmm4", "tmm6");
                multiply!("tmm1", "tmm4", "tmm7");
                multiply!("tmm2", "tmm5", "tmm6");
                multiply!("tmm3", "tmm5", "tmm7");
                if let Some(rest) = rest {
                    load!("tmm4", input.wrapping_add(rest), step);
                    multiply!("tmm0", "tmm4", "tmm6");
                    multiply!("tmm1", "tmm4", "tmm7");
                    load!("tmm5", input.wrapping_add(rest + lower), step);
                    multiply!("tmm2", "tmm5", "tmm6");
                    multiply!("tmm3", "tmm5", "tmm7");
                }
            },
        );
        store_two(task, out);
    }
}

/// # Safety
///
/// As [`three`].
#[inline(always)]
unsafe fn begin_two(task: &Task<'_>, out: *const f32) {
    let (out_step, below) = (task.out_stride * 4, SIDE * task.out_stride);
    // SAFETY: as above.
    unsafe {
        if task.add {
            load!("tmm0", out, out_step);
            load!("tmm1", out.add(SIDE), out_step);
            load!("tmm2", out.add(below), out_step);
            load!("tmm3", out.add(below + SIDE), out_step);
        } else {
            zero!("tmm0" "tmm1" "tmm2" "tmm3");
        }
    }
}

/// # Safety
///
/// As [`three`].
#[inline(always)]
unsafe fn begin_one(task: &Task<'_>, out: *const f32) {
    // SAFETY: as above.
    unsafe {
        if task.add {
            load!("tmm0", out, task.out_stride * 4);
            load!("tmm1", out.add(SIDE), task.out_stride * 4);
        } else {
            zero!("tmm0" "tmm1");
        }
    }
}

/// # Safety
///
/// As [`three`].
#[inline(always)]
unsafe fn store_two(task: &Task<'_>, out: *mut f32) {
    let (out_step, below) = (task.out_stride * 4, SIDE * task.out_stride);
    // SAFETY: as above.
    unsafe {
        store!("tmm0", out, out_step);
        store!("tmm1", out.add(SIDE), out_step);
        store!("tmm2", out.add(below), out_step);
        store!("tmm3", out.add(below + SIDE), out_step);
    }
}

/// One tile of rows.
///
/// # Safety
///
/// As [`three`].
unsafe fn one(task: &Task<'_>, out: *mut f32) {
    let step = task.stride * 2;
    let right = task.size;
    // SAFETY: as above.
    unsafe {
        begin_one(task, out);
        each_step(
            task,
            #[inline(always)]
            |input, matrix| {
                load!("tmm4", input, step);
                load!("tmm6", matrix, ROW);
                multiply!("tmm0", "tmm4", "tmm6");
                load!("tmm7", matrix.wrapping_add(right), ROW);
                multiply!("tmm1", "tmm4", "tmm7");
            },
        );
        store!("tmm0", out, task.out_stride * 4);
        store!("tmm1", out.add(SIDE), task.out_stride * 4);
    }
}

/// One tile of rows and weights in two elements.
///
/// # Safety
///
/// As [`three`].
unsafe fn one_exact(task: &Task<'_>, out: *mut f32) {
    let step = task.stride * 2;
    let (low, right) = (task.size, 2 * task.size);
    let rest = (task.precision == Precision::Both).then_some(task.inner);
    // SAFETY: as above.
    unsafe {
        begin_one(task, out);
        each_step(
            task,
            #[inline(always)]
            |input, matrix| {
                load!("tmm4", input, step);
                load!("tmm6", matrix.wrapping_add(low), ROW);
                multiply!("tmm0", "tmm4", "tmm6");
                load!("tmm7", matrix.wrapping_add(right + low), ROW);
                multiply!("tmm1", "tmm4", "tmm7");
                load!("tmm6", matrix, ROW);
                multiply!("tmm0", "tmm4", "tmm6");
                load!("tmm7", matrix.wrapping_add(right), ROW);
                multiply!("tmm1", "tmm4", "tmm7");
                if let Some(rest) = rest {
                    load!("tmm5", input.wrapping_add(rest), step);
                    multiply!("tmm0", "tmm5", "tmm6");
                    multiply!("tmm1", "tmm5", "tmm7");
                }
            },
        );
        store!("tmm0", out, task.out_stride * 4);
        store!("tmm1", out.add(SIDE), task.out_stride * 4);
    }
}
