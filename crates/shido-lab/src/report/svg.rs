//! A plot as SVG: a row for each player, a dot and its interval, the paper's as a cross.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Plot, PlotRow};

const LEFT: i32 = 190;
const RIGHT: i32 = 30;
const TOP: i32 = 50;
const BOTTOM: i32 = 60;
const ROW: i32 = 30;
const WIDTH: i32 = 760;
const OURS: RGBColor = RGBColor(31, 92, 153);
const PAPER: RGBColor = RGBColor(190, 80, 30);
const GRID: RGBColor = RGBColor(220, 220, 220);

type DrawError = Box<dyn std::error::Error>;

/// Returns the SVG.
pub(super) fn draw(plot: &Plot) -> Result<String, DrawError> {
    let height = TOP + BOTTOM + ROW * plot.rows.len().max(1) as i32;
    let mut svg = String::new();
    {
        let size = (WIDTH as u32, height as u32);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let title = style(22, BLACK, HPos::Left);
        root.draw(&Text::new(plot.title.clone(), (10, 22), title))?;
        draw_axis(&root, plot, height)?;
        for (i, row) in plot.rows.iter().enumerate() {
            draw_row(&root, plot, row, TOP + ROW * i as i32 + ROW / 2)?;
        }
        if plot.rows.iter().any(|row| row.paper.is_some()) {
            draw_legend(&root)?;
        }
        root.present()?;
    }
    Ok(svg)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn style(size: i32, color: RGBColor, side: HPos) -> TextStyle<'static> {
    ("sans-serif", size)
        .into_font()
        .color(&color)
        .pos(Pos::new(side, VPos::Center))
}

/// Returns where a value lies, kept inside the axis.
fn place(plot: &Plot, value: f64) -> i32 {
    let (low, high) = plot.range;
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    LEFT + (share * f64::from(WIDTH - LEFT - RIGHT)).round() as i32
}

fn draw_axis(root: &Area<'_>, plot: &Plot, height: i32) -> Result<(), DrawError> {
    let (low, high) = plot.range;
    let bottom = height - BOTTOM;
    for tick in 0..=10 {
        let value = low + (high - low) * f64::from(tick) / 10.0;
        let x = place(plot, value);
        root.draw(&PathElement::new(vec![(x, TOP), (x, bottom)], GRID))?;
        if tick % 2 == 0 {
            let text = style(15, BLACK, HPos::Center);
            root.draw(&Text::new(format!("{value:.0}"), (x, bottom + 14), text))?;
        }
    }
    let text = style(16, BLACK, HPos::Center);
    let middle = LEFT + (WIDTH - LEFT - RIGHT) / 2;
    root.draw(&Text::new(plot.axis.clone(), (middle, height - 18), text))?;
    Ok(())
}

fn draw_row(root: &Area<'_>, plot: &Plot, row: &PlotRow, y: i32) -> Result<(), DrawError> {
    let text = style(16, BLACK, HPos::Right);
    root.draw(&Text::new(row.label.clone(), (LEFT - 12, y), text))?;
    if row.ours.n > 0 {
        let (low, high) = (place(plot, row.ours.low), place(plot, row.ours.high));
        let line = OURS.stroke_width(2);
        root.draw(&PathElement::new(vec![(low, y), (high, y)], line))?;
        for x in [low, high] {
            root.draw(&PathElement::new(vec![(x, y - 4), (x, y + 4)], line))?;
        }
        let at = (place(plot, row.ours.value), y);
        root.draw(&Circle::new(at, 4, OURS.filled()))?;
    }
    if let Some(paper) = row.paper {
        let at = (place(plot, paper), y);
        root.draw(&Cross::new(at, 5, PAPER.stroke_width(2)))?;
    }
    Ok(())
}

fn draw_legend(root: &Area<'_>) -> Result<(), DrawError> {
    let text = |color| style(15, color, HPos::Left);
    let right = WIDTH - 210;
    root.draw(&Circle::new((right, 22), 4, OURS.filled()))?;
    root.draw(&Text::new(
        "ours, 95 %".to_owned(),
        (right + 10, 22),
        text(OURS),
    ))?;
    root.draw(&Cross::new((right + 110, 22), 5, PAPER.stroke_width(2)))?;
    root.draw(&Text::new(
        "paper".to_owned(),
        (right + 122, 22),
        text(PAPER),
    ))?;
    Ok(())
}
